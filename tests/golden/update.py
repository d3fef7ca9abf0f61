"""`python -m tests.golden.update [NAME ...]`: write what golden fights print, all of them or those named."""

import sys

from tests.golden.cases import EXPECTED, cases, play


def main(names: list[str]) -> int:
    """Write the expected output; a fight that does not go as its script says is left as it is."""
    failed = 0
    for case in cases():
        if names and case.name not in names:
            continue
        output = play(case)
        if output.status:
            failed = 1
            sys.stderr.write(f"{case.name}: {output.err}")
            continue
        path = case.folder / EXPECTED
        changed = not path.exists() or case.expected != output.out
        path.write_text(output.out, encoding="utf-8")
        sys.stdout.write(f"{case.name}: {'changed' if changed else 'the same'}\n")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
