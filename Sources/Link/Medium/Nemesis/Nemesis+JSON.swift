extension Nemesis {
  /// The keys of a scenario's `nemesis`.
  ///
  /// - Parameter hasUplink: Whether the scenario has an uplink.
  public static func schema(hasUplink: Bool) -> ObjectSchema<Self> {
    ObjectSchema(
      "nemesis",
      "Draws faults from the seed and adds them to `faults` ([how](sweeps.md#the-nemesis)). The trace's header has the"
        + " drawn plan, and `run --save FILE` writes it as a scenario.",
      Self(hasUplink: hasUplink),
      [
        Field(
          "kinds", \.kinds, .array(of: kindSchema(hasUplink: hasUplink), count: 1...kinds(hasUplink: true).count),
          "what may be drawn", .otherwise("all of them but \(Self.kindsByName)")
        ).omittedAtDefault,
        Field(
          "meanInterval", \.meanInterval, .duration(intervalMin ... .hours(24)),
          "from the beginning of one fault to that of the next, on average"),
        Field(
          "meanDuration", \.meanDuration, .duration(lengthMin ... .hours(24)),
          "how long a fault lasts on average; six times that at most"),
        Field("swarm", \.isSwarming, .bool, "whether each seed enables only about half of the kinds"),
        Field("from", \.from, .instant, "no fault begins before"),
        Field(
          "until", \.until, .instant, "every fault has ended, and every killed app is back, by then; after `from`",
          .otherwise("a tenth before the run's end, at most a minute")),
        Field("maximum", \.maximum, .integer(1...10_000), "how many faults at most"),
      ]
    ) { nemesis, reader in
      if let until = nemesis.until, until <= nemesis.from {
        reader.value("until")?.refuse(expected: "a time after `from`")
        return false
      }
      let kinds = nemesis.kinds
      guard let again = kinds.indices.first(where: { kinds[..<$0].contains(kinds[$0]) }) else { return true }
      reader.value("kinds")?.array()?[again].error("found \"\(kinds[again])\" a second time")
      return false
    }
  }

  private static func kindSchema(hasUplink: Bool) -> ValueSchema<String> {
    ValueSchema<String>.words(kinds(hasUplink: true)).map(
      reading: { kind, value in
        guard hasUplink || !kind.hasPrefix("uplink.") else {
          value.error("found \"\(kind)\", expected no kind of the uplink in a scenario without one")
          return nil
        }
        return kind
      }, writing: { $0 })
  }
}
