package import Link

/// Meals, daily metrics and their synchronisation: a scenario's `phone.daily`.
package struct DailySetup: Sendable, Equatable {
  /// From one synchronisation to the next.
  package var every = VirtualTime.Span.seconds(900)
  /// How many days before the first one have meals and metrics already.
  package var historyDays = 3
  /// Drawn meals a day.
  package var mealsPerDay = 3
  /// Nil for an app without a chat.
  package var chat: ChatSetup?

  /// Upper bound of `history`.
  package static let historyMax = 365
  package static let mealsMax = 24

  /// How a scenario's `phone.daily` is read and described.
  package static let schema = ObjectSchema<Self>(
    "phone.daily",
    "The app stores meals, and posts [totals](built-in-apps.md#daily-totals) of meals and metrics to the edge.",
    Self(),
    [
      Field("every", \.every, .duration(.seconds(60)...(.hours(24))), "from one sync to the next"),
      Field(
        "history", \.historyDays, .integer(0...Int64(historyMax)), "days before the start that have meals and metrics"),
      Field("meals", \.mealsPerDay, .integer(0...Int64(mealsMax)), "meals a day that are drawn from the seed"),
      Field("chat", \.chat, .object(ChatSetup.schema), "the user's chat; without it there is no profile"),
    ])
}
