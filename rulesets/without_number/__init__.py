"""What Worlds Without Number and Sovereign have in common."""
