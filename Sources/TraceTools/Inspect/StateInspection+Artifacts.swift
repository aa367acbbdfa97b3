package import Console
import Link
import LinkStore
package import PhoneSim

/// What training sessions share.
extension StateInspection {
  /// The artifacts of the phone's sessions, oldest first.
  ///
  /// - Parameters:
  ///   - folder: The state folder, or the phone's in it.
  ///   - wanted: A session's identifier, or `all`.
  /// - Throws: If there is no such session, or the store cannot be read.
  package static func artifacts(in folder: String, _ wanted: String) throws(Failure) -> [TrainingArtifact] {
    let record = try trainingRecord(in: folder)
    if wanted == "all" { return TrainingArtifact.all(in: record) }
    guard let id = Identifier(text: wanted) else {
      throw .input("--artifact: found \"\(wanted)\", expected the identifier of a session, or all")
    }
    guard let artifact = TrainingArtifact(of: id, in: record) else {
      throw .input("--artifact: found no session \(id.text), expected one of the section sessions of `inspect`")
    }
    return [artifact]
  }

  private static func trainingRecord(in folder: String) throws(Failure) -> TrainingRecord {
    let own = hasStore("\(folder)/phone") ? "\(folder)/phone" : folder
    guard hasStore(own) else {
      throw .input("\(folder): found no store of a phone, expected phone/\(StoreFile.name) as `run --state-dir` keeps")
    }
    do throws(StoreError) {
      return try phoneRecord(own).training
    } catch {
      throw error.cause == .busy ? .environment(error.text) : .input(error.text)
    }
  }
}
