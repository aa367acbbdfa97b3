import Console
import Foundation
import LinkTransport
import Simulator

/// A temporary folder of the benchmark, deleted with its last reference.
final class BenchFolder {
  private let directory: TemporaryDirectory
  var path: String { directory.path }

  private init(_ directory: consuming TemporaryDirectory) { self.directory = directory }

  private static func new() throws(SystemCallError) -> BenchFolder { BenchFolder(try TemporaryDirectory()) }

  static func make() throws(Failure) -> BenchFolder {
    try BareLoops.reporting { () throws(SystemCallError) in try new() }
  }
}

/// A file that is written again and again.
final class BenchFile {
  private let folder: BenchFolder
  private let file: FileHandle

  init() throws(Failure) {
    folder = try BenchFolder.make()
    let path = "\(folder.path)/trace.jsonl"
    guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
    else { throw .environment("bench: \(path) cannot be written") }
    self.file = file
  }

  /// Truncates it.
  func restart() throws(Failure) {
    do {
      try file.truncate(atOffset: 0)
    } catch {
      throw .environment("bench: \(error.systemText)")
    }
  }

  func append(_ bytes: [UInt8]) throws {
    let code = DescriptorOutput.writeAll(bytes, to: file.fileDescriptor)
    guard code == 0 else { throw SystemCallError("write", code) }
  }
}

extension BareLoops {
  /// Converts a system call's failure to an environment failure.
  static func reporting<Result>(_ body: () throws(SystemCallError) -> Result) throws(Failure) -> Result {
    do throws(SystemCallError) {
      return try body()
    } catch {
      throw .environment("bench: \(error)")
    }
  }
}

/// Programs beside this one.
enum BenchPrograms {
  /// `sim-runner`; this program, which has its commands, where that was not built.
  static let runner: String = {
    let beside = "\(FilePath.folder(of: ProcessRun.ownPath))sim-runner"
    return FileManager.default.isExecutableFile(atPath: beside) ? beside : ProcessRun.ownPath
  }()
}
