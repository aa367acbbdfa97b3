package import Link

extension Plants {
  /// A payload that cannot be read is dropped, and no line says so.
  package static let schemaDrift = Plants(bit: 37)
}

extension Plant {
  /// A payload that cannot be read is dropped, and no line says so.
  package static let schemaDrift = Plant(
    "schema-drift", .schemaDrift, in: [.phone],
    happened:
      "Watch and phone were of different builds; payloads that did not decode were dropped without a word.",
    wrong:
      "A payload that cannot be read is dropped, and no line says so.",
    right:
      "It is recorded with what was found in it, unknown kinds and versions by name; a queued one is set "
      + "aside.",
    caughtBy: ["undecodable-is-reported", "guaranteed-no-loss"])
}
