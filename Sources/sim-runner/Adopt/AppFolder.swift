import Console
import Foundation
import Link

/// The files of an app's folder, and the targets that they belong to.
struct AppFolder {
  /// The folder, absolute.
  let root: String
  let name: String
  /// Paths in the folder, in order.
  private(set) var files: [DeviceRole: [String]] = [:]
  /// How the project compiles each device's app; Swift 5 without a project.
  private(set) var languages: [DeviceRole: AppLanguage] = [:]
  /// Objective-C files that use the session.
  private(set) var objectiveC: [String] = []
  /// Swift files that are too large to be read.
  private(set) var tooLarge: [String] = []

  private static let entriesMax = 50_000
  private static let swiftFilesMax = 4_000
  private static let fileBytesMax = 1 << 20
  private static let skipped: Set<String> = [
    "Pods", "Carthage", "DerivedData", "node_modules", "build", "Preview Content", "vendor",
  ]

  /// - Parameter app: The name of the one to take where the folder has several.
  init(_ path: String, app: String?) throws(Failure) {
    let shown = TerminalText.escape(path)
    var root = FilePath.resolve(path, in: FileManager.default.currentDirectoryPath)
    for suffix in [".xcodeproj", ".xcworkspace", "/Package.swift", "/project.pbxproj"] where root.hasSuffix(suffix) {
      root = FilePath.folder(of: root)
    }
    while root.count > 1, root.hasSuffix("/") { root.removeLast() }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: root, isDirectory: &isFolder), isFolder.boolValue else {
      throw .input("adopt: found no folder \(shown), expected that of an app: an Xcode project or a Swift package")
    }
    self.root = root
    let found = try Self.list(root, shown: shown)
    objectiveC = found.objectiveC
    tooLarge = found.tooLarge
    let projects = try found.projects.map { project throws(Failure) in
      (folder: Self.parent(project), project: try Self.read(project, in: root))
    }
    var targets = projects.flatMap { one in one.project.targets.map { (folder: one.folder, target: $0) } }
    if projects.isEmpty {
      for path in found.generated {
        let bytes = try FilePath.read("\(root)/\(path)", bytesMax: 1 << 20)
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        targets += GeneratedProject(parsing: bytes).targets.map { (folder: folder, target: $0) }
      }
    }
    if targets.contains(where: { $0.target.isApp }) {
      let apps = targets.filter { $0.target.isApp && !$0.target.isWatch }.map(\.target.name)
      name = try Self.choose(apps, app, in: shown) ?? URL(fileURLWithPath: root).lastPathComponent
      takeTargets(targets, of: found, isOnly: apps.count <= 1)
    } else {
      if let app {
        throw .input("--app: found \"\(TerminalText.escape(app))\", expected no name: \(shown) has no Xcode project")
      }
      name = URL(fileURLWithPath: root).lastPathComponent
      takeFolders(found)
    }
    guard files.values.contains(where: { !$0.isEmpty }) else {
      throw .input("adopt: found no Swift file in \(shown), expected an app's folder")
    }
  }

  private static func choose(_ apps: [String], _ wanted: String?, in shown: String) throws(Failure) -> String? {
    let list = apps.map(TerminalText.escape).joined(separator: ", ")
    if let wanted {
      guard apps.contains(wanted) else {
        throw .input("--app: found \"\(TerminalText.escape(wanted))\", expected one of the apps in \(shown): \(list)")
      }
      return wanted
    }
    guard apps.count <= 1 else {
      throw .input("adopt: found \(apps.count) apps in \(shown): \(list); expected --app NAME with one of them")
    }
    return apps.first
  }

  private static func parent(_ path: String) -> String {
    // The file is in the folder `X.xcodeproj`, whose own folder the paths are in.
    path.split(separator: "/").dropLast(2).joined(separator: "/")
  }

  private static func read(_ path: String, in root: String) throws(Failure) -> XcodeProject {
    let bytes = try FilePath.read("\(root)/\(path)", bytesMax: 32 << 20)
    guard let project = XcodeProject(parsing: bytes) else {
      throw .input("\(path): error: found no property list with objects, expected that of an Xcode project")
    }
    return project
  }

  private struct Listing {
    var swift: [String] = []
    var projects: [String] = []
    var packages: [String] = []
    /// Descriptions of which XcodeGen makes a project.
    var generated: [String] = []
    var objectiveC: [String] = []
    var tooLarge: [String] = []
  }

  private static func list(_ root: String, shown: String) throws(Failure) -> Listing {
    var listing = Listing()
    guard let walk = FileManager.default.enumerator(atPath: root) else {
      throw .input("\(shown): error: the folder cannot be read")
    }
    var entries = 0
    while let path = walk.nextObject() as? String {
      entries += 1
      guard entries <= entriesMax else {
        throw .input("\(shown): error: found more than \(entriesMax) files, expected the folder of one app")
      }
      let (name, attributes) = (path.split(separator: "/").last.map(String.init) ?? path, walk.fileAttributes)
      let kind = attributes?[.type] as? FileAttributeType
      if kind == .typeDirectory {
        let isOurs = FileManager.default.fileExists(atPath: "\(root)/\(path)/\(AdoptedFiles.name)")
        if name.hasPrefix(".") || skipped.contains(name) || isOurs { walk.skipDescendants() }
        continue
      }
      guard kind == .typeRegular else { continue }
      let size = (attributes?[.size] as? NSNumber)?.intValue ?? 0
      if name == "project.pbxproj" {
        listing.projects.append(path)
      } else if name == "project.yml" || name == "project.yaml" {
        listing.generated.append(path)
      } else if name == "Package.swift" {
        listing.packages.append(path.split(separator: "/").dropLast().joined(separator: "/"))
      } else if name.hasSuffix(".swift") {
        if size > fileBytesMax { listing.tooLarge.append(path) } else { listing.swift.append(path) }
      } else if name.hasSuffix(".m") || name.hasSuffix(".mm"), size <= fileBytesMax {
        let text = (try? Data(contentsOf: URL(fileURLWithPath: "\(root)/\(path)"))) ?? Data()
        if text.range(of: Data("WatchConnectivity".utf8)) != nil { listing.objectiveC.append(path) }
      }
    }
    guard listing.swift.count <= swiftFilesMax else {
      throw .input(
        "\(shown): error: found \(listing.swift.count) Swift files, expected at most \(swiftFilesMax): "
          + "name the app's own folder"
      )
    }
    listing.swift.sort()
    listing.projects.sort()
    listing.generated.sort()
    return listing
  }

  private mutating func takeTargets(
    _ targets: [(folder: String, target: XcodeProject.Target)], of found: Listing, isOnly: Bool
  ) {
    let known = Set(found.swift)
    var chosen: [DeviceRole: Set<String>] = [:]
    let watches = targets.filter { $0.target.isApp && $0.target.isWatch }
    let named = watches.filter { $0.target.name.hasPrefix(name) }
    for (folder, target) in targets {
      if target.isApp {
        let isOurs = target.isWatch ? isOnly || named.isEmpty || target.name.hasPrefix(name) : target.name == name
        guard isOurs else { continue }
      } else if !target.isLibrary {
        continue
      }
      var own: Set<String> = []
      for file in target.files.map({ folder.isEmpty ? $0 : "\(folder)/\($0)" }) where known.contains(Self.plain(file)) {
        own.insert(Self.plain(file))
      }
      for group in target.folders.map({ Self.plain(folder.isEmpty ? $0 : "\(folder)/\($0)") }) {
        let except = Set(target.exceptions.map { Self.plain(folder.isEmpty ? $0 : "\(folder)/\($0)") })
        own.formUnion(found.swift.filter { $0.hasPrefix(group + "/") && !except.contains($0) })
      }
      // A watch's app has a target without files beside that of its extension.
      if target.isApp, !own.isEmpty || languages[target.isWatch ? .watch : .phone] == nil {
        languages[target.isWatch ? .watch : .phone] = target.language
      }
      for role in DeviceRole.allCases where target.isLibrary && !target.isWatch || target.isWatch == (role == .watch) {
        chosen[role, default: []].formUnion(own)
      }
    }
    // The app's own packages are for both.
    for package in found.packages where !package.isEmpty {
      let own = found.swift.filter { $0.hasPrefix("\(package)/Sources/") }
      for role in DeviceRole.allCases { chosen[role, default: []].formUnion(own) }
    }
    files = chosen.mapValues { $0.sorted() }
  }

  /// A path without `.` and `..`.
  private static func plain(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }

  /// Without a project, the names of folders say it.
  private mutating func takeFolders(_ found: Listing) {
    let packages = found.packages.filter { !$0.isEmpty }.map { "\($0)/Sources/" }
    // A package of the app's own is for both, whatever the folder around it is called.
    func isPackaged(_ path: String) -> Bool { packages.contains { path.hasPrefix($0) } }
    func folders(_ path: String) -> String { path.split(separator: "/").dropLast().joined(separator: "/").lowercased() }
    func namesPhone(_ folders: some StringProtocol) -> Bool {
      folders.split(whereSeparator: { "/ -_".contains($0) }).contains { $0.hasSuffix("phone") || $0 == "ios" }
    }
    let names = Set(found.swift.compactMap { folders($0).split(separator: "/").first })
    // Of the app watch-with-ios the folder "watch-with-ios" is the phone's, "watch-with-ios WatchKit Extension" the watch's.
    func isWatch(_ path: String) -> Bool {
      folders(path).replacing("watchconnectivity", with: "").split(separator: "/").contains { folder in
        guard namesPhone(folder) else { return folder.contains("watch") }
        return names.contains { folder != $0 && folder.hasPrefix($0) && folder.dropFirst($0.count).contains("watch") }
      }
    }
    func isPhone(_ path: String) -> Bool { namesPhone(folders(path)) }
    func isShared(_ path: String) -> Bool {
      folders(path).split(whereSeparator: { "/ -_".contains($0) }).contains {
        ["shared", "common", "core", "models", "kit", "both"].contains($0) || $0.hasSuffix("kit")
          || $0.hasSuffix("shared")
      }
    }
    let code = found.swift.filter { path in
      let parts = path.split(separator: "/")
      return parts.last != "Package.swift" && !parts.contains { $0 == "Tests" || $0.hasSuffix("Tests") }
    }
    let hasPhone = code.contains { isPhone($0) && !isWatch($0) && !isPackaged($0) }
    for path in code {
      let isForWatch = isWatch(path)
      let isForBoth = !isForWatch && (isPackaged(path) || !isPhone(path) && (hasPhone || isShared(path)))
      if isForWatch || isForBoth { files[.watch, default: []].append(path) }
      if !isForWatch { files[.phone, default: []].append(path) }
    }
  }
}
