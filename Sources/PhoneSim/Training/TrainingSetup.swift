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
