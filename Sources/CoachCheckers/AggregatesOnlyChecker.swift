import CoachProtocol
import CoachReference
package import Link

/// `aggregates-only`: no meal leaves the phone.
///
/// The checker rebuilds the body of each request from the reported totals and chat, and compares its digest with those of the
/// post, of its frames, and of the request that the server received. It rebuilds the server's file in the same way.
package struct AggregatesOnlyChecker: Checker {
  package static let invariant = "aggregates-only"
  package static let about =
    "Requests, their frames and the server's files contain only the totals of days and what the user wrote in the chat, and no meals."

  private static let path = EdgeCall.insightsSync.path
  private static let keys: Set = Set(NutritionSnapshot.keys + HealthSnapshot.keys + ["nutrition", "health"])

  private static let profileKeys: Set = ["message", "name", "age", "goal", "injuries", "preferences"]

  /// A posted request.
  private struct Post {
    var body: UInt64
    var frame: UInt64
    var line: Int
  }

  /// The newest totals of each day.
  private var totals: [String: (revision: Int64, text: String)] = [:]
  /// The chat in its order, each message as the JSON of a request.
  private var chat: [String] = []
  private var posts: [Identifier: Post] = [:]
  /// Identifiers of requests in order, to drop old ones.
  private var order: [Identifier] = []
  private var server = ServerDays()
  /// The workouts of the external service, by day.
  private var workouts: [String: String] = [:]

  package init(header: TraceHeader) {}

  package mutating func frameSent(_ frame: FrameSent, at event: Occurrence, into report: inout Report) {
    guard !posts.isEmpty, frame.channel == .http, frame.kind == .data, let id = frame.transfer,
      let post = posts[id], let bits = frame.digest.bits, bits != post.frame
    else { return }
    report.add(
      "a frame of the request holds something else than the totals of its days and the chat", at: event.time,
      lines: [post.line, event.line])
  }

  package mutating func dayAggregated(_ day: DayAggregated, at event: Occurrence, into report: inout Report) {
    totals[day.day] = (day.revision, day.totals.text)
    if let key = Self.foreignKey(in: day.totals.text) {
      report.add("the totals of \(day.day) have the key \(key)", at: event.time, lines: [event.line])
    }
  }

  package mutating func daysPosted(_ post: DaysPosted, at event: Occurrence, into report: inout Report) {
    guard let body = body(of: post) else {
      return report.add(
        "a day or chat message was posted that the phone does not have", at: event.time, lines: [event.line])
    }
    let digest = Digest.prefix(body)
    if Digest.text(digest) != post.digest {
      report.add(
        "the request holds something else than the totals of its days and the chat", at: event.time, lines: [event.line]
      )
    }
    let frame =
      Array("{\"id\":\"\(post.id.text)\",\"path\":\"\(Self.path)\",\"body\":".utf8) + body + [UInt8(ascii: "}")]
    remember(post.id, Post(body: digest, frame: Digest.prefix(frame), line: event.line))
  }

  package mutating func edgeRequest(_ request: EdgeRequest, at event: Occurrence, into report: inout Report) {
    guard request.path == Self.path, let post = posts[request.id] else { return }
    if let bits = request.digest.bits, bits != post.body {
      report.add(
        "the server received something else than the totals of the posted days and the chat", at: event.time,
        lines: [post.line, event.line])
    }
  }

  package mutating func fileStored(_ file: FileStored, at event: Occurrence, into report: inout Report) {
    guard file.file == ServerDays.contextStore else { return }
    let days = Set(server.days.keys).union(workouts.keys).sorted().map { "\"\($0)\":\(snapshot(of: $0))" }
    let text = "{\"store\":\"\(file.store.text)\",\"days\":{\(days.joined(separator: ","))}}"
    if Digest.text(Digest.prefix(Array(text.utf8))) != file.digest {
      report.add(
        "the file \(file.file) holds something else than the snapshots of its days", at: event.time, lines: [event.line]
      )
    }
  }

  package mutating func dayUpserted(_ day: DayUpserted, at event: Occurrence, into report: inout Report) {
    server.observe(day, at: event)
    if let key = Self.foreignKey(in: day.snapshot.text, also: ["revision", "versions"]) {
      report.add("the snapshot of \(day.day) has the key \(key)", at: event.time, lines: [event.line])
    }
  }

  package mutating func chatWritten(_ message: ChatWritten, at event: Occurrence, into report: inout Report) {
    let text = String(decoding: JSONWriter.compact(JSONNode(.string(message.text))), as: UTF8.self)
    chat.append("{\"number\":\(message.number),\"text\":\(text)}")
  }

  package mutating func profileExtracted(_ new: ProfileExtracted, at event: Occurrence, into report: inout Report) {
    guard let node = try? JSONParser.parse(new.profile.text, dialect: .json), case .object(let members) = node.value,
      members.allSatisfy({ Self.profileKeys.contains($0.key) })
    else { return report.add("the profile has a key that no profile has", at: event.time, lines: [event.line]) }
  }

  package mutating func workoutsStored(_ day: WorkoutsStored, at event: Occurrence, into report: inout Report) {
    workouts[day.day] = day.workouts.text
  }

  package mutating func serverRestarted(_ start: ServerRestarted, at event: Occurrence, into report: inout Report) {
    if server.observe(start, at: event) { workouts = [:] }
  }

  package mutating func fileDamaged(_ damage: FileDamaged, at event: Occurrence, into report: inout Report) {
    if server.observe(damage, at: event) { workouts = [:] }
  }

  /// A day of the server's file.
  private func snapshot(of day: String) -> String {
    let own = server.days[day]?.text ?? "{}"
    guard let list = workouts[day] else { return own }
    return "\(own.dropLast())\(own == "{}" ? "" : ",")\"workouts\":\(list)}"
  }

  /// The body made of the posted days; nil if a revision is not the day's.
  private func body(of post: DaysPosted) -> [UInt8]? {
    guard let node = try? JSONParser.parse(post.days.text, dialect: .json), case .array(let elements) = node.value
    else { return nil }
    var days: [String] = []
    for element in elements {
      guard let date = element["date"]?.text, let revision = element["revision"]?.double,
        let known = totals[date], Double(known.revision) == revision
      else { return nil }
      let snapshot = ServerDays.snapshot(revision: known.revision, totals: known.text)
      days.append("{\"date\":\"\(date)\",\(snapshot.dropFirst())")
    }
    let store = post.store.map { "\"store\":\"\($0.text)\"," } ?? ""
    guard let page = page(of: post) else { return nil }
    return Array("{\(store)\"days\":[\(days.joined(separator: ","))]\(page)}".utf8)
  }

  /// The chat in a body; empty for an app without one, nil if it has no such messages.
  private func page(of post: DaysPosted) -> String? {
    guard let count = post.chatCount else { return "" }
    let first = (post.chatFrom ?? 1) &- 1
    guard count >= 0, first >= 0, first <= chat.count, count <= chat.count - Int(first) else { return nil }
    return ",\"chat\":[\(chat[Int(first)...].prefix(Int(count)).joined(separator: ","))]"
  }

  private mutating func remember(_ id: Identifier, _ post: Post) {
    posts[id] = post
    order.append(id)
    // A copy may arrive long after its request was given up.
    if order.count > 1_000 { posts[order.removeFirst()] = nil }
  }

  /// A key that totals must not have; nil if there is none.
  private static func foreignKey(in text: String, also more: [String] = []) -> String? {
    guard let node = try? JSONParser.parse(text, dialect: .json), case .object(let members) = node.value else {
      return "(no object)"
    }
    for member in members {
      if !keys.contains(member.key), !more.contains(member.key) { return member.key }
      guard case .object(let inner) = member.node.value else { continue }
      if let found = inner.first(where: { !keys.contains($0.key) }) { return found.key }
    }
    return nil
  }
}
