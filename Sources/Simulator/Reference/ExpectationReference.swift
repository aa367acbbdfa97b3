import Console
import Link

/// The kinds of expectations, for the reference page and the JSON Schema.
package enum ExpectationReference {
  /// An element of `expect`.
  static let description = ObjectDescription(
    name: "expectation", about: "Something that must be true of the run.", fields: [],
    forms: ExpectationCatalog.all.map { kind in
      let others = kind.keys.filter { $0 != kind.key } + (kind.keys.contains("where") ? [] : ["where"])
      return [FieldDescription(kind.key, value(kind.key), standard: nil, kind.about)]
        + others.map { FieldDescription($0, value($0), standard: "none", "") }
        + [
          FieldDescription(
            VerdictScope.key, .words(VerdictScope.allCases.map(\.rawValue)), standard: "by its form",
            "the faults under which it is judged"),
          FieldDescription(
            ExpectationCatalog.aboutKey, .string(bytes: 1...300), standard: "made of its keys",
            "what it means, in words: what findings begin with"),
        ]
    })

  private static func value(_ key: String) -> ValueDescription {
    ["event", "count", "never", "always"].contains(key) ? .event : .any
  }

  /// An element of `sometimes`.
  static let situation = ObjectDescription(
    name: "situation", about: "An event that some run of a sweep must reach.",
    fields: [
      FieldDescription("event", .event, standard: nil, "the event's name"),
      FieldDescription("where", .any, standard: "any", "the values of its fields, as in `expect`"),
      FieldDescription("name", .string(bytes: 1 ... .max), standard: "its JSON", "the name in results"),
    ])

  private static let forms: [VerdictScope: String] = [
    .safety: "`never`, `always`, `onlyAfter` and a `count` with `atMost` alone, of facts of apps and of"
      + " `transfer.delivered`",
    .eventual: "any other `count` of those events, and `agrees`",
    .timed: "everything with `between`, `within` or `for`, `dispatched`, and other events of this package",
  ]

  /// The page of expectations, up to `checks`.
  package static var chapter: String {
    var text = """

      What must be true of a run, besides the invariants, which always apply (`sim-runner invariants` lists them;
      [written-invariants.json5](written-invariants.json5) has most of them as expectations, to copy and vary). Each
      element of `expect` in a [scenario](scenarios.md) is of one of these kinds.

      * `where` may be added to any of them: each of its keys must equal the event's field. `node` and `t` are fields,
        too, and an absent field equals null.
      * `about` says in words what it means. Findings begin with it, or else with a sentence made of the keys.
      * `sim-runner events` lists [the events](internals/trace-format.md#events), `sim-runner events NAME` the fields of
        one. A misspelt event is an error, and so is a field that it never has. An app's facts are events `app.NAME`.
      * `link.up` and `link.down` are those of the watch-phone link, unless `where` names a `node`.

      ## Kinds


      """
    let examples = [
      "between": "{ event: \"liveness.disconnected\", between: [\"11m9s\", \"11m12s\"] }",
      "within": "{ event: \"liveness.reconnected\", within: \"7s\", after: { event: \"link.up\" } }",
      "count": "{ count: \"script.dispatch\", atLeast: 4, atMost: 12 }",
      "never": "{ never: \"script.expired\", where: { message: \"finish\" } }"
        + ", { never: \"script.dispatch\", after: { event: \"script.dispatch\" }, for: \"29s\" }",
      "always": "{ always: \"snapshot.fresh\", have: { hr: { atMost: 220 } }, rises: \"seq\", each: [\"epoch\"] }"
        + ", { always: \"ingestion.purged\", after: { event: \"ingestion.parsed\", same: [\"id\"] } }",
      "onlyAfter": "{ onlyAfter: \"app.ended\", act: \"stop\", once: true }",
      "agrees": "{ agrees: \"app.summary\", field: \"distance\", with: \"truth.workout.distance\", within: \"1 %\" }",
      "dispatched": "{ dispatched: [\"km1\", \"km2\", \"halfway\", \"finish\"] }",
    ]
    text += Markdown.table(
      ["kind", "keys", "it holds when", "example"],
      ExpectationCatalog.all.map { kind in
        [
          Markdown.code(kind.key), kind.keys.map(Markdown.code).joined(separator: ", "), kind.about,
          Markdown.code(examples[kind.key] ?? ""),
        ]
      })
    text += """

      ## Scopes

      `scope` says under which faults an expectation is judged. `sim-runner validate --explain` prints each.


      """
    text += Markdown.table(
      ["scope", "judged", "by itself for"],
      VerdictScope.allCases.map { [Markdown.code($0.rawValue), $0.about, forms[$0] ?? ""] })
    return text
  }
}
