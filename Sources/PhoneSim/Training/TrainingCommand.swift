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
