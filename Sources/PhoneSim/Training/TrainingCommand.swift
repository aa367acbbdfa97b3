package import CoachProtocol
package import Link

/// An act of the user on training sessions: a word of `phone.events`.
package enum TrainingCommand: ScenarioCommand, Equatable {
  /// Corrects the score of a shot of the newest shooting session; end and shot count from 1.
  case correctShot(end: Int, shot: Int, score: Int)
  /// Enters a judge's score of the newest ride.
  case scoreRide(Double)
  case logDrill(LoggedDrill)
  /// Enters a result of the competition by hand: seconds of a swim or run, points of a ride or of shots.
  case enterResult(TrainingDiscipline, Double)
  /// Adds a photo to the newest ride.
  case addPhoto(TrainingFile)
  /// Adds the scan of a target to an end of the newest shooting session, from 1; the size of the group in millimetres.
  case scanTarget(end: Int, TrainingFile, groupSize: Double?)
  case addTask(title: String)
  /// Completes the first open task with a title.
  case completeTask(title: String)
  case planWorkout(TrainingDiscipline, name: String, intervals: [PlannedInterval])
  /// Enters the weather at the newest session of a discipline, as a JSON object.
  case recordWeather(TrainingDiscipline, weather: String)
  /// Removes the newest session of a discipline.
  case removeSession(TrainingDiscipline)

  package static let setsMax = 100

  /// The keys of all forms.
  private struct Draft: Sendable {
    var end = 1
    var shot = 1
    var rings = 0
    var points = 0.0
    var discipline = TrainingDiscipline.running
    var text = ""
    var file = TrainingFile(name: "", digest: "")
    var digest: String?
    var groupSize: Double?
    var intervals: [PlannedInterval] = []
    var weather = Weather()

    /// The file, with the digest of its name if it has no other.
    var wholeFile: TrainingFile {
      TrainingFile(name: file.name, digest: digest ?? Digest.text(Digest.sha256(Array(file.name.utf8))))
    }
  }

  private struct Weather: Sendable {
    var temperature = 0.0
    var windSpeed: Double?
    var condition: String?

    static let fields = [
      Field<Draft>(
        "temperature", \.weather.temperature, .number(-90...60, unit: "degrees Celsius"), "how warm it is", .required),
      Field("windSpeed", \.weather.windSpeed, .number(0...100, unit: "m/s"), "the wind"),
      Field("condition", \.weather.condition, .string(bytes: 1...100), "in words"),
    ]
  }

  package static let forms = results + files + plans

  private static let results: [CommandForm<Self>] = [
    CommandForm(
      "correctShot", "changes a shot of the newest shooting session", Draft(),
      [
        end, Field("shot", \.shot, .integer(1...1_000), "the shot in its end, from 1", .required),
        Field("score", \.rings, .integer(0...10), "rings", .required),
      ]
    ) { draft, _ in .correctShot(end: draft.end, shot: draft.shot, score: draft.rings) },
    CommandForm(
      "scoreRide", "enters a judge's score of the newest ride", Draft(),
      [Field("score", \.points, .number(0...100), "the score", .required)]
    ) { draft, _ in .scoreRide(draft.points) },
    CommandForm("logDrill", "stores an exercise", LoggedDrill(), LoggedDrill.fields) { drill, _ in .logDrill(drill) },
    CommandForm(
      "enterResult", "enters a result of the competition, without a session", Draft(),
      [
        discipline,
        Field(
          "result", \.points, .number(0...100_000), "seconds, or points", .required),
      ]
    ) { draft, reader in
      guard draft.discipline != .riding || draft.points <= 100 else {
        reader.value("result")?.refuse(expected: "0 to 100 for a ride")
        return nil
      }
      return .enterResult(draft.discipline, draft.points)
    },
  ]

  private static let files: [CommandForm<Self>] = [
    CommandForm("addPhoto", "adds a photo to the newest ride", Draft(), file) { draft, reader in
      hasDigest(draft, reader) ? .addPhoto(draft.wholeFile) : nil
    },
    CommandForm(
      "scanTarget", "adds the scan of a target to an end of the newest shooting session", Draft(),
      [end] + file + [
        Field("groupSize", \.groupSize, .number(0...10_000, unit: "mm"), "the size of the group of shots")
      ]
    ) { draft, reader in
      hasDigest(draft, reader)
        ? .scanTarget(end: draft.end, draft.wholeFile, groupSize: draft.groupSize) : nil
    },
  ]

  private static let plans: [CommandForm<Self>] = [
    CommandForm("addTask", "adds a task of the competition", Draft(), [text("title", "the task")]) { draft, _ in
      .addTask(title: draft.text)
    },
    CommandForm(
      "completeTask", "completes the first open task with a title", Draft(), [text("title", "the task")]
    ) { draft, _ in .completeTask(title: draft.text) },
    CommandForm(
      "planWorkout", "plans a workout; not of shooting", Draft(),
      [
        discipline, text("name", "the workout's name"),
        Field(
          "intervals", \.intervals, .array(of: .object(PlannedInterval.schema), count: 0...setsMax), "its intervals",
          .required),
      ]
    ) { draft, reader in
      guard draft.discipline.partWord != nil else {
        reader.value("discipline")?.refuse(expected: "a discipline with intervals: running, riding or swimming")
        return nil
      }
      return .planWorkout(draft.discipline, name: draft.text, intervals: draft.intervals)
    },
    CommandForm(
      "recordWeather", "enters the weather at the newest session of a discipline", Draft(),
      [discipline] + Weather.fields
    ) { draft, _ in
      let members = ObjectSchema("", "", Draft(), Weather.fields).members(of: draft)
      return .recordWeather(draft.discipline, weather: JSONValue.object(members).compactText)
    },
    CommandForm("removeSession", "removes the newest session of a discipline", Draft(), [discipline]) { draft, _ in
      .removeSession(draft.discipline)
    },
  ]

  private static let end = Field<Draft>("end", \.end, .integer(1...1_000), "the end, from 1", .required)
  private static let discipline = Field<Draft>("discipline", \.discipline, .word, "the discipline", .required)
  private static let file = [
    Field<Draft>("file", \.file.name, .string(bytes: 1...200), "the file's name", .required),
    Field(
      "digest", \.digest, .string.named("64 hexadecimal digits"), "SHA-256 of the file",
      .otherwise("that of the name")),
  ]

  private static func text(_ key: String, bytesMax: Int = 200, _ about: String) -> Field<Draft> {
    Field(key, \.text, .string(bytes: 1...bytesMax), about, .required)
  }

  private static func hasDigest(_ draft: Draft, _ reader: JSONObjectReader) -> Bool {
    if draft.wholeFile.hasDigest { return true }
    reader.value("digest")?.refuse(expected: "64 hexadecimal digits in lower case")
    return false
  }
}

/// A reference to a file that the user adds: its name and its digest.
///
/// There is no file.
package struct TrainingFile: Sendable, Equatable {
  package var name: String
  /// SHA-256 in 64 hexadecimal digits.
  package var digest: String

  /// Whether the digest is one.
  var hasDigest: Bool {
    digest.utf8.count == 64 && digest.utf8.allSatisfy { Self.digits.contains($0) }
  }

  private static let digits = Array("0123456789abcdef".utf8)
}

/// Training sessions in the unified form.
extension PhoneNode {
  /// Lets the part act, stores the changes, records the events, and gives the rows that changed to the cloud.
  ///
  /// - Returns: Whether there is something to commit.
  @discardableResult
  mutating func updateTraining(
    in turn: inout Turn,
    _ body: (inout TrainingBook, _ clock: Int64, inout TrainingBook.Orders) -> Void
  ) -> Bool {
    let now = turn.now
    guard var part = training else { return false }
    // One owner, so that no table is copied.
    training = nil
    var orders = TrainingBook.Orders()
    orders.clock = clock.reading(at: now)
    body(&part, orders.clock, &orders)
    training = part
    cloud?.push(orders.outgoing, from: 1, at: now, into: &orders)
    for change in orders.changes { persist(.training(change), in: &turn) }
    record(orders, in: &turn)
    return !orders.changes.isEmpty
  }

  private func record(_ orders: TrainingBook.Orders, in turn: inout Turn) {
    let now = turn.now
    guard turn.isRecording else { return }
    for event in orders.events { turn.record(TraceEvent(event, at: now, on: .phone)) }
    for (act, why) in orders.refusals { refuse(act, why: why, in: &turn) }
  }

  /// Stores athlete, horse and competition at the first start.
  mutating func beginTraining(in turn: inout Turn) {
    let now = turn.now
    guard cloud == nil else {
      return updateCloud(in: &turn) { cloud, book, truth, orders, other in
        book.begin(clock: orders.clock, into: &orders)
        cloud.begin(clock: truth, at: now, first: book, into: &orders, other: &other)
        orders.outgoing = []
      }
    }
    if updateTraining(in: &turn, { $0.begin(clock: $1, into: &$2) }) { turn.items.append(.commit) }
  }

  /// Carries out what is due on the second phone and in the cloud.
  mutating func fireCloud(in turn: inout Turn) {
    let now = turn.now
    updateCloud(in: &turn) { cloud, book, truth, orders, other in
      cloud.fire(clock: orders.clock, truth: truth, at: now, first: &book, into: &orders, other: &other)
    }
  }

  /// Lets cloud and both phones act, and stores all changes in one transaction.
  private mutating func updateCloud(
    in turn: inout Turn,
    _ body: (
      inout TrainingCloud, inout TrainingBook, _ truth: Int64, inout TrainingBook.Orders, inout TrainingBook.Orders
    ) -> Void
  ) {
    let now = turn.now
    guard var part = training, var sync = cloud else { return }
    (training, cloud) = (nil, nil)
    var (orders, other) = (TrainingBook.Orders(), TrainingBook.Orders())
    let truth = setup.startedAt &+ now.nanoseconds
    (orders.clock, other.clock) = (clock.reading(at: now), truth)
    body(&sync, &part, truth, &orders, &other)
    sync.reportIfSettled(part, into: &orders, other: &other)
    (training, cloud) = (part, sync)
    for change in orders.changes { persist(.training(change), in: &turn) }
    for change in other.changes { persist(.secondTraining(change), in: &turn) }
    if !orders.changes.isEmpty || !other.changes.isEmpty { turn.items.append(.commit) }
    record(orders, in: &turn)
    record(other, in: &turn)
  }

  /// Carries out an act of the user.
  mutating func carryOutTraining(_ command: NodeCommand, in turn: inout Turn) {
    guard let act = TrainingCommand(command), training != nil else {
      return refuse(command.name, why: "the app stores no training sessions", in: &turn)
    }
    guard !isDiskFull else {
      return refuse(command.name, why: SessionError.insufficientSpace.rawValue, in: &turn)
    }
    var reason: String?
    let hasChanged = updateTraining(in: &turn) { reason = $0.carryOut(act, clock: $1, into: &$2) }
    if hasChanged { turn.items.append(.commit) }
    if let reason { refuse(command.name, why: reason, in: &turn) }
  }
}
