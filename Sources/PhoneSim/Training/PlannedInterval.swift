package import Link

/// An interval of a planned workout: what is to be done.
package struct PlannedInterval: Sendable, Equatable {
  package var name = ""
  /// Metres.
  package var distance: Double?
  /// Seconds.
  package var duration: Double?
  /// Seconds after it.
  package var rest: Double?
  /// Seconds for 100 m.
  package var pace: Double?
  /// Of riding.
  package var gait: String?
  /// Of riding.
  package var intensity: String?

  /// How an element of `intervals` is read and described.
  package static let schema = ObjectSchema<Self>(
    "phone.events[].intervals[]", "An interval of a planned workout, of `planWorkout`.", Self(),
    [
      Field("name", \.name, .string(bytes: 1...200), "its name", .required),
      Field("distance", \.distance, .number(0...1_000_000, unit: "metres"), "its target"),
      Field("duration", \.duration, .seconds(.zero...(.hours(24))), "its target"),
      Field("rest", \.rest, .seconds(.zero...(.hours(24))), "the rest after it"),
      Field("pace", \.pace, .number(1...10_000, unit: "seconds for 100 m"), "its target"),
      Field("gait", \.gait, .words(["halt", "walk", "trot", "canter"]), "of riding: the gait, as `targetGait`"),
      Field("intensity", \.intensity, .string(bytes: 1...40), "of riding, in the trainer's words"),
    ])
}
