package import Console
import CoachProtocol
import EdgeSim
package import Link
import PhoneSim
import WatchSim

/// All bugs that can be planted.
package enum PlantCatalog {
  /// The phone's, the watch's, those of both apps, the session's, the server's.
  package static let all: [Plant] = Plant.phone + Plant.watch + Plant.bothApps + Plant.session + Plant.edge

  /// The names of some plants, in the order of the catalogue.
  package static func names(_ plants: Plants) -> [String] {
    all.filter { plants.contains($0) }.map(\.name)
  }

  /// The member `plants` of a scenario, and of a trace's header.
  static func member(_ plants: Plants) -> JSONMember {
    JSONMember("plants", .texts(names(plants)))
  }

  /// The option of commands that run something.
  package static let option = Option.value(
    "--plant", "NAME", "switch on a known bug; may be repeated (list: sim-runner plants)")

  /// Reads the option.
  package static func read(_ arguments: Arguments) throws(Failure) -> Plants {
    var plants: Plants = []
    for name in arguments.values("--plant") { plants.insert(try plant(named: name, "--plant")) }
    return plants
  }

  /// The arguments for some plants.
  package static func words(_ plants: Plants) -> [String] { names(plants).flatMap { ["--plant", $0] } }

  /// A similar name, a few with a part of it, or where all are listed.
  private static func hint(for name: String) -> String {
    let known = all.map(\.name)
    if let nearest = Spelling.nearest(to: name, among: known) { return "; did you mean \"\(nearest)\"?" }
    let alike = name.isEmpty ? [] : known.filter { $0.contains(name.lowercased()) }
    guard !alike.isEmpty, alike.count <= hintMax else { return ", expected a name that sim-runner plants lists" }
    return "; did you mean \(StoryText.alternatives(alike.map { "\"\($0)\"" }))?"
  }

  /// The most names of one hint.
  private static let hintMax = 8

  /// The plant with a name.
  ///
  /// - Throws: For an unknown name, with a hint.
  package static func plant(named name: String, _ position: String) throws(Failure) -> Plant {
    if let plant = all.first(where: { $0.name == name }) { return plant }
    let hint = hint(for: name)
    throw .input("\(position): found \"\(TerminalText.escape(name))\"\(hint)")
  }
}

extension Scenario {
  /// Adds plants, which also go to nodes, workers and saved files.
  package mutating func plant(_ more: Plants) { plants.formUnion(more) }
}
