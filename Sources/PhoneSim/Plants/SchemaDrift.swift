package import Link

extension Plants {
  package static let schemaDrift = Plants(bit: 37)
}

extension Plant {
  package static let schemaDrift = Plant(
    "schema-drift", .schemaDrift, in: [.phone],
    happened:
      "Watch and phone were of different builds; undecodable payloads were dropped silently.",
    wrong:
      "An undecodable payload is dropped without a trace event.",
    right:
      "It is recorded with its content, unknown kinds and versions by name; a queued one is set "
      + "aside.",
    caughtBy: ["undecodable-is-reported", "guaranteed-no-loss"])
}
