#!/usr/bin/env python3
"""A watch that says what no honest watch says, once its hello was confirmed.

Its one argument is the deed: `bounds`, `acquit`, `sent`, `forge`.
"""
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "node.py")) as file:
    exec(file.read().rsplit("\nNode().run()", 1)[0])


class Hostile(Node):
    def take(self, kind, body):
        was = self.confirmed
        super().take(kind, body)
        if self.confirmed and not was:
            getattr(self, sys.argv[1])()

    def message(self, seq):
        self.record(FRAME, encode(DATA, 0, self.epoch, self.peer_epoch, seq, b"x"))

    def bounds(self):
        """Numbers at their bounds, in frames and in lines."""
        for seq in [1, 2**63 - 1, 2, 2**64 - 1, 3, 2**63, 1]:
            self.message(seq)
        for number in [2**63 - 1, -(2**63), 0, 2**53]:
            self.line("message.refused", kind="liveMetrics", epoch=number, seq=number, error="notReachable")
            self.line("snapshot.fresh", epoch=number, seq=number, elapsed=number, distance=number)

    def acquit(self):
        """A message that goes nowhere, and a death that was none."""
        self.line("node.killed", target="watch", cause="kill")
        self.line("end", verdict="pass", frames=0, outstanding=[], violations=[])

    def sent(self):
        """A frame that was never sent."""
        self.line("frame.sent", id=1, to="phone")

    def forge(self):
        """Words that look like the tool's own."""
        text = "nothing\nPASS  all 39 invariants held\x1b[2J\x1b]0;title\x07\u202e\u2028end"
        self.record(FAILED, text.encode())
        self.flush()
        raise SystemExit(0)


Hostile().run()
