package import CoachProtocol
package import Link

/// The model of a discipline other than running: one file, and one line in ``DisciplineCatalog``.
///
/// It also lists the discipline's own records. Like the sensors' values these depend on the source's clock only, so
/// that a restarted watch, which measures the workout again, has the same ones.
package protocol DisciplineSource: MotionSource, Equatable {
  /// What a scenario's `workout.source.model` says.
  associatedtype Parameters: Sendable, Equatable

  static var discipline: TrainingDiscipline { get }
  /// How `workout.source.model` is read, checked, written and described.
  static var schema: ObjectSchema<Parameters> { get }

  /// Creates the model.
  ///
  /// - Parameters:
  ///   - parameters: Already checked by ``schema``.
  ///   - seed: The execution's seed.
  init(_ parameters: Parameters, seed: UInt64)

  /// The records up to the instant of the last ``MotionSource/advance(toMilliseconds:)``, in order of time.
  var units: [SessionUnit] { get }
}

/// The models of disciplines beside running.
package enum DisciplineCatalog {
  package static let all: [any DisciplineSource.Type] = [
    SwimmerModel.self,
    RiderModel.self,
    ShooterModel.self,
  ]

  /// The model of a discipline; nil for running, whose model is ``RunnerModel``.
  package static func model(of discipline: TrainingDiscipline) -> (any DisciplineSource.Type)? {
    all.first { $0.discipline == discipline }
  }
}

/// Model and parameters of a workout in a discipline other than running.
package struct DisciplinePlan: Sendable {
  package let discipline: TrainingDiscipline
  /// The parameters as a scenario spells them, without those that have their default.
  package let members: [JSONMember]
  /// How long the model takes, in seconds, pauses excluded.
  package let secondsExpected: Int
  private let create: @Sendable (UInt64) -> AnyDisciplineSource

  /// A plan with every default; nil for running.
  package init?(_ discipline: TrainingDiscipline) {
    guard let model = DisciplineCatalog.model(of: discipline) else { return nil }
    self = Self.standard(model)
  }

  /// Reads `workout.source.model`; nil after reporting errors, and for running.
  package init?(_ discipline: TrainingDiscipline, _ reader: JSONObjectReader) {
    guard let model = DisciplineCatalog.model(of: discipline), let plan = Self.read(model, reader) else { return nil }
    self = plan
  }

  private init<Model: DisciplineSource>(_ model: Model.Type, _ parameters: Model.Parameters) {
    discipline = model.discipline
    members = model.schema.members(of: parameters, .readable)
    secondsExpected = Model(parameters, seed: 0).secondsExpected
    create = { AnyDisciplineSource(Model(parameters, seed: $0)) }
  }

  private static func standard<Model: DisciplineSource>(_ model: Model.Type) -> Self {
    Self(model, model.schema.standard)
  }

  private static func read<Model: DisciplineSource>(_ model: Model.Type, _ reader: JSONObjectReader) -> Self? {
    model.schema.read(reader).map { Self(model, $0) }
  }

  /// The motion source of a run.
  package func source(seed: UInt64) -> AnyMotionSource { .discipline(create(seed)) }
}

/// A discipline's model as a value that can be compared.
package struct AnyDisciplineSource: Sendable, Equatable {
  package internal(set) var source: any DisciplineSource

  package init(_ source: any DisciplineSource) { self.source = source }

  var discipline: TrainingDiscipline { type(of: source).discipline }

  package static func == (lhs: Self, rhs: Self) -> Bool {
    func equals<Model: DisciplineSource>(_ model: Model) -> Bool { model == rhs.source as? Model }
    return equals(lhs.source)
  }
}

/// A pulse that approaches what the effort asks for, second by second.
///
/// As in ``RunnerModel``: exponentially, in 45 s upwards and 60 s downwards.
struct Pulse: Sendable, Equatable {
  private var beats: Double
  private var second: Int64 = 0

  init(_ beats: Double) { self.beats = beats }

  /// Advances to a whole second of the source's clock.
  ///
  /// - Parameter target: Beats per minute that the effort in a second leads to.
  mutating func advance(toSecond whole: Int64, _ target: (Int64) -> Double) {
    while second < whole {
      approach(target(second))
      second += 1
    }
  }

  /// Lets time pass at rest.
  mutating func rest(milliseconds: Int64, at target: Double) {
    if beats > target { beats += (target - beats) * min(1, Double(milliseconds) / 60_000) }
  }

  private mutating func approach(_ target: Double) {
    beats += (target - beats) * (target > beats ? 1.0 / 45 : 1.0 / 60)
  }

  /// Beats per minute, with the sensor's error.
  func reading(_ random: RandomStream, noise: Double) -> UInt8 {
    UInt8(min(max(beats + noise * 0.8 * Draw.unit(random.bits(for: UInt64(second), draw: 7)) + 0.5, 30), 250))
  }
}

/// Numbers from random bits.
enum Draw {
  /// The low 16 bits as a number from -1 to just under 1.
  static func unit(_ bits: UInt64) -> Double { Double(Int16(truncatingIfNeeded: bits)) / 32_768 }

  /// A whole number between two bounds, both allowed.
  static func between(_ low: Int64, _ high: Int64, _ random: RandomStream, for key: UInt64, draw: UInt64 = 0) -> Int64 {
    low + Int64(random.number(below: UInt64(high - low + 1), for: key, draw: draw))
  }
}
