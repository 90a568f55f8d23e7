// `--home FOLDER`, which every command takes: it stands in for PLINTH_HOME.

/**
 * Takes the option out of what was typed.
 * @param {readonly string[]} typed
 * @returns {{ home?: string, rest: string[], problem?: string }}
 */
export function takeHome(typed) {
  const rest = [...typed]
  const at = rest.findIndex((one) => one === '--home' || one.startsWith('--home='))
  if (at < 0) return { rest }
  const [option = '', next] = rest.slice(at)
  const home = option === '--home' ? next : option.slice('--home='.length)
  rest.splice(at, option === '--home' ? 2 : 1)
  if (!home || home.startsWith('-')) return { rest, problem: 'give a folder with --home FOLDER' }
  return { home, rest }
}
