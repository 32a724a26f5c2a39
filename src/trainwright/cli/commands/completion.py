"""`trainwright completion`: a script with which a shell completes commands, runs and nodes."""

from __future__ import annotations

import click

from trainwright.cli.output import echo, json_option, print_json

SHELLS = ("bash", "zsh", "fish")
_VARIABLE = "_TRAINWRIGHT_COMPLETE"

# In place of click's own: bash breaks words at colons, and the id of a run is full of them. So the
# words are taken from the line, and what bash takes for the part before is cut off the answers.
_BASH = """\
%(complete_func)s() {
    local IFS=$' \\t\\n' line="${COMP_LINE:0:COMP_POINT}" words current before="" completion
    read -ra words <<< "$line"
    if [[ -z "$line" || "$line" == *[[:space:]] ]]; then words+=(""); fi
    current="${words[${#words[@]}-1]}"
    if [[ "$COMP_WORDBREAKS" == *:* && "$current" == *:* ]]; then before="${current%%:*}:"; fi
    COMPREPLY=()
    while IFS=',' read -r type value; do
        case "$type" in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("${value#"$before"}") ;;
        esac
    done < <(env COMP_WORDS="${words[*]}" COMP_CWORD=$((${#words[@]} - 1)) \\
        %(complete_var)s=bash_complete "$1" 2>/dev/null)
    return 0
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@json_option
def completion(shell: str, as_json: bool) -> None:
    """Print the script that completes commands, options, runs and nodes in SHELL.

    \b
    eval "$(trainwright completion bash)"                                      # in ~/.bashrc
    eval "$(trainwright completion zsh)"                                       # in ~/.zshrc
    trainwright completion fish > ~/.config/fish/completions/trainwright.fish
    """
    script = completion_script(shell)
    if as_json:
        print_json({"shell": shell, "script": script})
    else:
        echo(script, nl=False)


def completion_script(shell: str) -> str:
    """The script for `bash`, `zsh` or `fish`."""
    from click.shell_completion import get_completion_class

    from trainwright.cli.main import cli

    completion_class = get_completion_class(shell)
    assert completion_class is not None, shell
    completer = completion_class(cli, {}, "trainwright", _VARIABLE)
    if shell == "bash":
        return _BASH % completer.source_vars()
    return completer.source()
