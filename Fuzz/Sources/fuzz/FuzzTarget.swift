/// Something that reads bytes from outside: a file of its own in Targets/, and a line in ``FuzzCatalog``.
///
/// A run must end for every input. It traps if a property does not hold, as for a crash in what it calls.
protocol FuzzTarget: SendableMetatype {
  /// The argument that selects it.
  static var name: String { get }
  /// What is fuzzed, and what must hold, in one line.
  static var about: String { get }
  /// Inputs are at most this long, in bytes.
  static var lengthMax: Int { get }
  /// Words that the fuzzer inserts; empty if the format has none worth naming.
  static var words: [String] { get }

  /// Well-formed inputs to start from.
  static func seeds(_ tree: SourceTree) -> [[UInt8]]
  /// Reads an input.
  static func run(_ bytes: [UInt8])
}

extension FuzzTarget {
  static var lengthMax: Int { 4_096 }
  static var words: [String] { [] }
}

/// All targets.
enum FuzzCatalog {
  static let all: [any FuzzTarget.Type] = [
    RecordTarget.self,
    FrameTarget.self,
    MessageTarget.self,
    PropertyListTarget.self,
    JSONTarget.self,
    TraceTarget.self,
    JudgeTarget.self,
    StoryTarget.self,
    ReportTarget.self,
    PcapngTarget.self,
    ScenarioTarget.self,
    ScriptTarget.self,
    ExpressionTarget.self,
    SweepLineTarget.self,
    FITTarget.self,
    GPXTarget.self,
    TCXTarget.self,
    HealthTarget.self,
  ]
}
