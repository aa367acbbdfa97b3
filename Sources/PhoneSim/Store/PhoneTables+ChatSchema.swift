extension PhoneTables {
  /// The user's chat; `DailyState` has what the server has read of it.
  ///
  /// `number` counts the messages from 1, `date` is in nanoseconds since 1970 by the phone's clock.
  static let version12 = """
    CREATE TABLE ChatMessage (
      number INTEGER PRIMARY KEY CHECK (number > 0), date INTEGER NOT NULL, text TEXT NOT NULL
    ) STRICT;
    """
}
