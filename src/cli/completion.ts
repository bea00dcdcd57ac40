import { OperatorError } from '../core/errors.ts';
import { arg, type CommandContext } from './context.ts';

/** Each asks the program itself what could come next, so that no script grows old. */
const scripts: Readonly<Record<string, string>> = {
  bash: `# rpcgw completion for bash
_rpcgw() {
  local line current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == ":files" ]]; then
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return
    fi
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _rpcgw rpcgw`,
  zsh: `#compdef rpcgw
# rpcgw completion for zsh
_rpcgw() {
  local line
  local -a found
  while IFS= read -r line; do
    if [[ $line == ":files" ]]; then
      _files
      return
    fi
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe rpcgw found
}
if [ "$funcstack[1]" = "_rpcgw" ]; then
  _rpcgw
else
  compdef _rpcgw rpcgw
fi`,
  fish: `# rpcgw completion for fish
function __rpcgw_complete
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    for line in (command $typed[1] complete -- $typed[2..-1] "$current" 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path "$current"
            return
        end
        echo $line
    end
end
complete -c rpcgw -f -a '(__rpcgw_complete)'`,
};

export async function run(context: CommandContext): Promise<number> {
  const shell = arg(context, 0);
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined)
    throw new OperatorError(
      'usage',
      `completion is for ${Object.keys(scripts).join(', ')}, not for ${shell}`,
    );
  context.out(script);
  return 0;
}
