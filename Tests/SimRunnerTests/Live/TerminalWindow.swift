import Foundation

/// A terminal with a shell in it; gone with its life.
final class TerminalWindow {
  private let tmux: String
  /// Its server's process number.
  private var server: Int32 = 0
  private let name = "ww-\(UUID().uuidString.prefix(8))"

  /// - Parameters:
  ///   - folder: The shell's working directory.
  ///   - shell: The shell's command, as tmux passes it to sh.
  /// - Returns: nil where tmux is not installed.
  init?(_ folder: URL, columns: Int = 90, shell: String = "sh") throws {
    guard let tmux = Installed.path("tmux") else {
      print("skipped: tmux is not installed")
      return nil
    }
    self.tmux = tmux
    try run("-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "30", "-c", folder.path(), shell)
    server = Int32(try run("display-message", "-p", "#{pid}").filter(\.isNumber)) ?? 0
  }

  deinit {
    // Asked to go, it waits for shells that may have been started deaf to its signal.
    if server > 0 { kill(server, SIGKILL) }
    unlink("/tmp/tmux-\(getuid())/\(name)")
  }

  /// Its server lives on, so it must not hold what Foundation waits on to learn of a child's end, be it ours.
  @discardableResult func run(_ words: String...) throws -> String {
    let closing = """
      for f in /proc/$$/fd/*; do n=${f##*/}; [ "$n" -gt 2 ] && eval "exec $n>&-"; done 2>/dev/null; exec "$@"
      """
    return try Installed.output("/bin/bash", ["-c", closing, "sh", tmux, "-L", name] + words) ?? ""
  }

  func type(_ text: String) throws { try run("send-keys", "-l", text) }
  func enter(_ text: String) throws { try run("send-keys", text, "Enter") }
  func screen() throws -> String { try run("capture-pane", "-p") }

  /// Looks until something can be seen; a minute at most.
  func wait(for text: String) throws -> Bool {
    for _ in 0..<600 {
      if try screen().contains(text) { return true }
      Thread.sleep(forTimeInterval: 0.1)
    }
    return false
  }
}
