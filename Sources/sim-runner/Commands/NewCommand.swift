import Simulator
import Console
import Foundation
import Link

/// `sim-runner new`: a package with an app's two programs and a scenario, which runs at once.
enum NewCommand: Command {
  static let name = "new"
  static let about = "make a package for an app of your own, with a scenario that runs at once"
  static let usage = "FOLDER [--phone-only] [--wristwire DIR]"
  static let options: [Option] = [
    .flag("--phone-only", "the phone's program alone, against the simulated watch"),
    .value("--wristwire", "DIR", "the checkout of this package (the one that this program was built in)"),
  ]
  static let details = """
    Writes the folder, whose name is the package's: a connection that an app for the devices could use as it is, a
    program for each device, and a scenario with a tunnel and a crash. Its README names the next steps;
    docs/your-app.md explains them.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let folder = try arguments.onlyOperand("the package's folder")
    let name = URL(fileURLWithPath: folder).lastPathComponent
    guard NewPackage.isName(name) else {
      throw .input(
        "new: found \"\(TerminalText.escape(name))\", expected a letter, then letters and digits, at most "
          + "\(NewPackage.nameBytesMax) of them")
    }
    guard !FileManager.default.fileExists(atPath: folder) else {
      throw .input("new: found \(TerminalText.escape(folder)), expected a folder that does not exist yet")
    }
    let wristwire = try checkout(arguments.value("--wristwire"))
    let package = NewPackage(name: name, isPhoneOnly: arguments.has("--phone-only"), wristwire: wristwire)
    for file in package.files {
      let path = "\(folder)/\(file.path)"
      try OutputFolder.make(FilePath.folder(of: path))
      do { try Data(file.text.utf8).write(to: URL(fileURLWithPath: path)) } catch {
        throw .environment("\(path): error: cannot be written: \(error.systemText)")
      }
    }
    Terminal.print("\(name) is there. To run it:")
    for line in [CommandWords.join(["cd", folder])] + package.steps { Terminal.print("  \(line)") }
    return 0
  }

  /// The folder of this package, absolute.
  static func checkout(_ given: String?) throws(Failure) -> String {
    if let given {
      let path = FilePath.resolve(given, in: FileManager.default.currentDirectoryPath)
      guard isCheckout(path) else {
        throw .input("--wristwire: found no package wristwire in \(TerminalText.escape(given)), expected its checkout")
      }
      return URL(fileURLWithPath: path).standardizedFileURL.path
    }
    var folder = URL(fileURLWithPath: ProcessRun.ownPath).deletingLastPathComponent()
    while folder.pathComponents.count > 1 {
      if isCheckout(folder.path) { return folder.path }
      folder.deleteLastPathComponent()
    }
    throw .input("this program is in no checkout of wristwire, expected --wristwire DIR")
  }

  private static func isCheckout(_ path: String) -> Bool {
    let text = try? String(contentsOfFile: "\(path)/Package.swift", encoding: .utf8)
    return text?.contains("name: \"wristwire\"") ?? false
  }
}
