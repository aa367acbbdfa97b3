package import Link

/// The athlete's sessions in the unified form: a scenario's `phone.training`.
package struct TrainingSetup: Sendable, Equatable {
  package var athlete = "Athlete"
  package var horse = "Horse"
  /// The competition to which the first session of each discipline belongs; empty for none.
  package var competition = ""
  /// Nil without a second phone.
  package var sync: SyncSetup?

  package init() {}

  /// How a scenario's `phone.training` is read and described.
  package static let schema = ObjectSchema<Self>(
    "phone.training",
    "The app stores sessions of all [disciplines](built-in-apps.md#disciplines). The watch reports each.",
    Self(),
    [
      Field("athlete", \.athlete, .string(bytes: 1...200), "the athlete's name"),
      Field("horse", \.horse, .string(bytes: 1...200), "the name of the horse of all rides"),
      Field(
        "competition", \.competition, .string(bytes: 0...200),
        "the name of a competition, which the first session of each discipline belongs to", .otherwise("no competition")
      ).omittedAtDefault,
      Field("sync", \.sync, .object(SyncSetup.schema), "a second phone with its own store, and the cloud between both"),
    ])
}

/// The second phone of the athlete, and the cloud between both: a scenario's `phone.training.sync`.
package struct SyncSetup: Sendable, Equatable {
  /// A row arrives at most so long after it was pushed; each push has its own delay.
  package var late = VirtualTime.Span.seconds(30)
  /// How often a row comes a second time.
  package var twice = Probability.never
  /// How often a row is held back for up to ``late`` more, while others overtake it.
  package var reorder = Probability.never
  /// What the user does on the second phone.
  package var edits: [SecondEdit] = []

  package static let editsMax = 1_000

  /// How a scenario's `phone.training.sync` is read and described.
  package static let schema = ObjectSchema<Self>(
    "phone.training.sync",
    "A second phone of the athlete with a store of its own. Both exchange rows through a cloud that is late and careless.",
    Self(),
    [
      Field("late", \.late, .duration(.seconds(1)...(.hours(24))), "how late a row arrives at most, in whole seconds"),
      Field("twice", \.twice, .probability, "how often a row comes again, within `late` of the first time"),
      Field(
        "reorder", \.reorder, .probability,
        "how often a row is held back for up to `late` more, and overtaken by others"),
      Field(
        "edits", \.edits, .array(of: SecondEdit.schema, count: 0...editsMax),
        "what the user does on the second phone: as in `phone.events`, with the acts on training sessions"
      ).omittedAtDefault,
    ])
}

/// An act on the second phone.
package struct SecondEdit: Sendable, Equatable {
  package var at: VirtualTime
  package var word: String
  package var act: TrainingCommand
  /// As the scenario has it.
  var members: [JSONMember]

  static let schema = ValueSchema<SecondEdit>(
    .named("an event with an act on training sessions", .any),
    read: { value in
      guard let reader = value.object() else { return nil }
      let at = reader.duration("at", required: true)
      guard let word = reader.oneOf("do", TrainingCommand.words, required: true) else { return nil }
      let act = TrainingCommand(word, reader)
      reader.finish()
      guard let at, let act else { return nil }
      return SecondEdit(at: .start + at, word: word, act: act, members: reader.members)
    },
    write: { edit, _ in .object(edit.members) })
}
