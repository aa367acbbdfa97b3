package import Link

extension Plants {
  package static let script502 = Plants(bit: 57)
}

extension Plant {
  package static let script502 = Plant(
    "script-502", .script502, in: [.phone],
    happened:
      "Script generation failed three times; not one kilometre was announced.",
    wrong:
      "After three failed attempts the run stays without a script.",
    right:
      "The personality's own script is loaded after the third, and requests to the edge continue: "
      + "positional lines always exist.",
    caughtBy: ["script-in-force"], sweptIn: "trust-coach")
}
