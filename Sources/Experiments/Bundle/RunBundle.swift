package import Console
import Foundation
import Link

/// A run as one file to hand on, `NAME.wristwire`: a tar archive with its scenarios, recorded workout, traces, report and
/// manifest.
package struct RunBundle {
  package static let suffix = ".wristwire"
  static let original = (scenario: "scenario.json5", trace: "trace.jsonl")
  static let shrunk = (scenario: "shrunk.json5", trace: "shrunk.jsonl")
  static let report = "report.html"
  /// The recorded workout keeps its name, which is in the trace, in this folder.
  static let workoutFolder = "workout/"
  /// The largest bundle, in bytes: a health export of several years is smaller.
  static let bytesMax = 1 << 30
  /// More than a bundle has.
  private static let filesMax = 16

  package var manifest: BundleManifest
  /// Without the manifest.
  var files: [TarArchive.Member]

  /// The content of a file; nil if it is missing.
  subscript(name: String) -> [UInt8]? { files.first { $0.name == name }?.bytes }

  /// The trace of the run; every bundle has one.
  package var originalTrace: [UInt8] { self[Self.original.trace] ?? [] }

  /// The bundle's bytes; the same run gives the same ones.
  var bytes: [UInt8] {
    let manifest = TarArchive.Member(name: BundleManifest.fileName, bytes: Array(manifest.text.utf8))
    return TarArchive.bytes(of: [manifest] + files)
  }

  init(manifest: BundleManifest, files: [TarArchive.Member]) {
    self.manifest = manifest
    self.files = files
  }

  /// Reads a bundle, and checks that it is complete and undamaged.
  ///
  /// - Throws: ``Failure/input(_:)`` with the place, what was found and what was expected.
  package init(_ path: String) throws(Failure) {
    try self.init(try FilePath.read(path, bytesMax: Self.bytesMax), path: path)
  }

  /// Reads the bytes of a bundle.
  ///
  /// - Parameter path: The file, for messages.
  init(_ bytes: [UInt8], path: String) throws(Failure) {
    var members: [TarArchive.Member]
    do throws(TarArchive.Problem) { members = try TarArchive.read(bytes, membersMax: Self.filesMax) } catch {
      throw .input("\(path): \(error.text)")
    }
    for member in members where !Self.isAllowed(member.name) {
      throw .input("\(path): error: found a file \"\(member.name)\", expected only those of a bundle")
    }
    guard let index = members.firstIndex(where: { $0.name == BundleManifest.fileName }) else {
      throw .input("\(path): error: found no \(BundleManifest.fileName), expected a bundle of sim-runner")
    }
    manifest = try BundleManifest(members.remove(at: index).bytes, of: path)
    files = members
    try check(path)
  }

  private func check(_ path: String) throws(Failure) {
    for file in manifest.files {
      guard let bytes = self[file.name] else {
        throw .input("\(path): error: found no \"\(file.name)\", which \(BundleManifest.fileName) lists")
      }
      guard bytes.count == file.bytes, Digest.text(Digest.sha256(bytes)) == file.digest else {
        throw .input("\(path): error: found another \"\(file.name)\" than \(BundleManifest.fileName) lists")
      }
    }
    for file in files where !manifest.files.contains(where: { $0.name == file.name }) {
      throw .input("\(path): error: found \"\(file.name)\", which \(BundleManifest.fileName) does not list")
    }
    for (name, run) in manifest.runs {
      for file in [run.scenario, run.trace] where self[file] == nil {
        throw .input("\(path): error: found no \"\(file)\" of the \(name) run")
      }
      guard let trace = self[run.trace], Digest.text(Digest.sha256(trace)) == run.digest else {
        throw .input("\(path): error: found another digest of \"\(run.trace)\" than \(BundleManifest.fileName) has")
      }
    }
  }

  /// Whether a bundle can have a file of this name: none leads out of the folder that it is unpacked to.
  private static func isAllowed(_ name: String) -> Bool {
    let fixed = [
      BundleManifest.fileName, original.scenario, original.trace, shrunk.scenario, shrunk.trace, report,
    ]
    guard !fixed.contains(name) else { return true }
    guard name.hasPrefix(workoutFolder) else { return false }
    let file = name.dropFirst(workoutFolder.count)
    return !file.isEmpty && file != "." && file != ".." && !file.utf8.contains(UInt8(ascii: "/"))
  }

  /// Writes the files into a folder that exists, so that its scenarios run there.
  func unpack(to folder: String) throws(Failure) {
    do {
      for file in files {
        let path = URL(filePath: folder, directoryHint: .isDirectory).appending(path: file.name)
        try FileManager.default.createDirectory(
          at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.bytes).write(to: path)
      }
    } catch { throw .environment("\(folder): error: the bundle cannot be unpacked: \(error.systemText)") }
  }
}
