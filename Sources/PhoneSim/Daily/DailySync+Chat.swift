import CoachProtocol
import Link

/// The user's chat, from which the server extracts a profile.
///
/// Every answer says which message the server has read last. The phone posts the messages after that one, so a server that
/// lost its profile gets the chat again from the first message on.
extension DailySync {
  /// Stores a message, which gets the next number.
  mutating func storeChat(_ text: String, date: Int64, into orders: inout Orders) {
    commit(.chatWritten(ChatEntry(date: date, text: text)), into: &orders)
    var event = ChatWritten()
    (event.number, event.date, event.text) = (Int64(record.chat.count), LocalDay.dateText(date), text)
    orders.events.append(event)
  }

  /// Stores the drawn messages since the last call, as for meals.
  mutating func storeDrawnChat(_ moment: Moment, into orders: inout Orders) {
    let drawn = drawnChat
    let (due, next) = findDue(moment, since: record.state.chatThrough) {
      drawn.messages(of: $0, offset: $1)
    } time: {
      $0.at
    }
    // Days overlap when the user travels.
    for message in due.enumerated().sorted(by: { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }) {
      let written = message.element.at.saturatingNanoseconds
      storeChat(message.element.text, date: moment.clock &- (moment.truth &- written), into: &orders)
    }
    if !due.isEmpty || record.state.chatThrough == nil { commit(.chatDrawn(through: moment.now), into: &orders) }
    chatAt = next
  }

  /// The page of the chat that a post carries: what the server has not read; nil without a chat.
  func unreadChat() -> [ChatMessage]? {
    guard setup.chat != nil else { return nil }
    let first = min(record.state.chatRead, record.chat.count)
    return record.chat[first...].prefix(ChatMessage.countMax).enumerated().map { index, entry in
      ChatMessage(number: first + index + 1, text: entry.text)
    }
  }

  /// How many pages the whole chat has.
  var chatPages: Int { (record.chat.count + ChatMessage.countMax - 1) / ChatMessage.countMax }

  /// Stores what the server has read; less than before after a loss of its profile.
  mutating func confirmChat(through message: Int, posted last: Int?, into orders: inout Orders) {
    var read = min(message, record.chat.count)
    // Planted: what was posted once is never posted again.
    if plants.contains(.chatOnce) { read = max(read, record.state.chatRead, last ?? 0) }
    if read != record.state.chatRead { commit(.chatRead(through: read), into: &orders) }
  }
}
