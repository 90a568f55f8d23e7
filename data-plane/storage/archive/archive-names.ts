/** Of a part of a key: nothing that means another place, a device or nothing at all to whoever unpacks it. */
function safePart(part: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what must not come through
  const plain = part.replaceAll(/[\u0000-\u001f\u007f\\:]/g, '_')
  return /^[. ]*$/.test(plain) ? `_${plain.slice(1)}`.replaceAll(/[. ]/g, '_') : plain
}

/** `a.txt` becomes `a (2).txt`. */
function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf('.')
  const end = dot > 0 ? dot : name.length
  return `${name.slice(0, end)} (${number})${name.slice(end)}`
}

const sameAs = (name: string) => name.normalize('NFC').toLowerCase()

/**
 * Names of the entries of one archive. All of them stay in the folder that it is unpacked into, and no two are the same,
 * also where the case of letters does not count; a key can be a folder and an object at once.
 */
export function createNames() {
  const taken = new Set<string>()
  const next = new Map<string, number>()
  const folders = new Map([['', '']])

  function unused(folder: string, part: string): string {
    const safe = safePart(part)
    const base = sameAs(folder + safe)
    for (let number = next.get(base) ?? 1; ; number++) {
      const name = folder + (number === 1 ? safe : numbered(safe, number))
      if (taken.has(sameAs(name))) continue
      taken.add(sameAs(name))
      next.set(base, number + 1)
      return name
    }
  }

  /** With a slash at its end; the same one for the same path. */
  function folder(path: string): string {
    const known = folders.get(path)
    if (known !== undefined) return known
    const cut = path.lastIndexOf('/')
    const name = `${unused(folder(path.slice(0, Math.max(cut, 0))), path.slice(cut + 1))}/`
    folders.set(path, name)
    return name
  }

  return {
    folder,
    file(path: string): string {
      const cut = path.lastIndexOf('/')
      return unused(folder(path.slice(0, Math.max(cut, 0))), path.slice(cut + 1))
    },
  }
}
