"""What is published: the package, and the pages made for it."""
