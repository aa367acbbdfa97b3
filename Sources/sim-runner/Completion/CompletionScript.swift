/// The script that a shell loads to complete command lines of `sim-runner`.
///
/// The scripts contain no options or names: they pass the words to `sim-runner complete`, which reads the catalogues.
///
/// In the order of the help.
enum CompletionScript: String, CaseIterable {
  case bash
  case zsh
  case fish

  /// Whether an offer replaces all of `--plant=x`, and not only the part after the sign.
  var replacesWholeWord: Bool { self != .bash }

  /// The script.
  var text: String {
    switch self {
    case .bash: Self.bashText
    case .zsh: Self.zshText
    case .fish: Self.fishText
    }
  }

  /// Instructions for loading it, for the help.
  static let installation = """
      bash   source <(sim-runner completions bash)                       in ~/.bashrc
      zsh    sim-runner completions zsh > DIR/_sim-runner                DIR from $fpath, before compinit
      fish   sim-runner completions fish > ~/.config/fish/completions/sim-runner.fish
    """

  private static let bashText = #"""
    # Completion of sim-runner for bash: written by `sim-runner completions bash`.
    _sim_runner() {
      local current=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]/#\~/$HOME} kind rest path suffix
      [ "$current" = "=" ] && current=""
      COMPREPLY=()
      while IFS=$'\t' read -r kind rest; do
        case $kind in
          word)
            path=${rest%%$'\t'*}
            case $path in "$current"*) COMPREPLY+=("$path") ;; esac
            ;;
          folders)
            compopt -o filenames
            while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -d -- "$current")
            ;;
          files)
            compopt -o filenames
            while IFS= read -r path; do
              if [ -z "$rest" ] || [ -d "${path/#\~/$HOME}" ]; then
                COMPREPLY+=("$path")
                continue
              fi
              for suffix in $rest; do
                case $path in *".$suffix") COMPREPLY+=("$path") ;; esac
              done
            done < <(compgen -f -- "$current")
            ;;
        esac
      done < <("$program" complete bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    }
    complete -F _sim_runner sim-runner
    """#

  private static let zshText = #"""
    #compdef sim-runner
    # Completion of sim-runner for zsh: written by `sim-runner completions zsh`.
    _sim-runner() {
      local -a fields offered suffixes
      local line found=1
      for line in "${(@f)$(${~words[1]} complete zsh -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        fields=("${(@ps:\t:)line}")
        case $fields[1] in
          word) offered+=("${fields[2]//:/\\:}${fields[3]:+:$fields[3]}") ;;
          folders) compset -P '--*='; _files -/ && found=0 ;;
          files)
            compset -P '--*='
            suffixes=("${(@)fields[2,-1]}")
            if (( $#suffixes )); then
              _files -g "${(j: :)${suffixes/#/*.}}" && found=0
            else
              _files && found=0
            fi
            ;;
        esac
      done
      (( $#offered )) && _describe 'sim-runner' offered && found=0
      return $found
    }
    if [ "$funcstack[1]" = "_sim-runner" ]; then
      _sim-runner "$@"
    else
      compdef _sim-runner sim-runner
    fi
    """#

  private static let fishText = #"""
    # Completion of sim-runner for fish: written by `sim-runner completions fish`.
    function __sim_runner_complete
        set -l typed (commandline -opc)
        set -l current (commandline -ct)
        set -l value (string replace -r -- '^--[^=]*=' '' "$current")
        set -l prefix (string match -r -- '^--[^=]*=' "$current")
        for line in ($typed[1] complete fish -- $typed[2..-1] "$current" 2>/dev/null)
            set -l fields (string split \t -- $line)
            switch $fields[1]
                case word
                    printf '%s\t%s\n' $fields[2] "$fields[3]"
                case folders
                    for path in (__fish_complete_directories "$value" folder)
                        printf '%s%s\n' "$prefix" $path
                    end
                case files
                    for path in $value*
                        if test -d $path
                            printf '%s%s/\n' "$prefix" $path
                        else if test (count $fields) -eq 1
                            printf '%s%s\n' "$prefix" $path
                        else
                            for suffix in $fields[2..-1]
                                string match -q -- "*.$suffix" $path; and printf '%s%s\n' "$prefix" $path
                            end
                        end
                    end
            end
        end
    end
    complete -c sim-runner -f -a '(__sim_runner_complete)'
    """#
}
