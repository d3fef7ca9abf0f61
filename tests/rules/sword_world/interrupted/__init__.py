"""Questions of Sword World whose subject has changed before the answer."""
