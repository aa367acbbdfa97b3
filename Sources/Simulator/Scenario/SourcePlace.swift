package import Console
import Link

extension JSONValueReader {
  /// Where a key of this object, or this value itself, is written, as an error begins: `file:line:column: error: key`.
  func place(of node: JSONNode, key: String?) -> String {
    let name = key.map { "\(path).\($0)" } ?? path
    return "\(collector.diagnostics.file):\(node.position.line):\(node.position.column): error: \(name)"
  }
}

extension WorkoutPlan {
  /// A failure of the source's file, with the place that names the file.
  func placed(_ failure: Failure) -> Failure {
    guard let sourcePlace, let (_, path) = source.file, case .input(let text) = failure else { return failure }
    return .input("\(sourcePlace): \(text.replacing("\(path): error: ", with: "\(path): "))")
  }
}

extension Scenario {
  /// Checks that the recorded workouts and the programs that it names are there, with the places that name them.
  ///
  /// Processes that run it get another text of it, without these places.
  package func checkFiles() throws(Failure) {
    for workout in workouts { try RecordedRun.check(workout) }
    for role in [NodeRole.watch, .phone] {
      guard let program = programs[role], let obstacle = ProgramImage.obstacle(to: program.words[0]) else { continue }
      throw .input("\(program.place ?? "the \(role.text)'s program"): \(obstacle), expected a program")
    }
  }
}
