/* The program python.exe: everything is in the library. */
#include <wchar.h>
extern __declspec(dllimport) int Py_Main(int, wchar_t **);
int wmain(int count, wchar_t **words) { return Py_Main(count, words); }
