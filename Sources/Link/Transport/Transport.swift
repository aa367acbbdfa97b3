// Sockets live in this target and nowhere else.
