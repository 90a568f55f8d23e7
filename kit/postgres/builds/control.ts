import { BuildError } from './build.ts'

/** What we need to know of an extension's control file. */
export type Control = {
  name: string
  version: string
  /** Owners of databases may create it, as its author says. */
  open: boolean
}

/** Reads `name = 'value'` lines as the server does: a `#` outside of quotes begins a comment, and a quote is doubled. */
function settingsOf(text: string): Map<string, string> {
  const settings = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const found = /^\s*(\w+)\s*=?\s*(?:'((?:[^']|'')*)'|([^\s'#]+))\s*(?:#.*)?$/.exec(line)
    const [, key, quoted, plain = ''] = found ?? []
    if (key === undefined) continue
    settings.set(key.toLowerCase(), quoted?.replaceAll("''", "'") ?? plain)
  }
  return settings
}

const isOn = (value: string) => /^(?:on|t|true|y|yes|1)$/i.test(value)

/** @throws BuildError where the server could not install it from the one folder of extensions */
export function readControl(name: string, text: string): Control {
  const settings = settingsOf(text)
  const version = settings.get('default_version')
  if (version === undefined) throw new BuildError(`${name}.control names no default_version`)
  if (settings.has('directory'))
    throw new BuildError(`${name}.control names a directory of its own, which is not supported`)
  const path = settings.get('module_pathname') ?? ''
  if (path.startsWith('/'))
    throw new BuildError(`${name}.control loads ${path}: build it with $libdir in module_pathname`)
  const needsSuperuser = isOn(settings.get('superuser') ?? 'on')
  return { name, version, open: !needsSuperuser || isOn(settings.get('trusted') ?? 'off') }
}
