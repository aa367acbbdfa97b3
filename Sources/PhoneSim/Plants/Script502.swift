package import Link

extension Plants {
  /// Three failed attempts at a script are the last: no other script stands in.
  package static let script502 = Plants(bit: 57)
}

extension Plant {
  /// Three failed attempts at a script are the last: no other script stands in.
  package static let script502 = Plant(
    "script-502", .script502, in: [.phone],
    happened:
      "Script generation failed three times; not one kilometre was announced.",
    wrong:
      "Three failed attempts at a script are the last, and no script of the phone's own stands in.",
    right:
      "The personality's own script is loaded after the third, and the edge is asked on: positional "
      + "lines always exist.",
    caughtBy: ["script-in-force"], sweptIn: "trust-coach")
}
