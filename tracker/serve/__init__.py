"""The players' page: a web server in a process of its own that shows the players' view, and takes their dice."""
