/** True where the Command key takes the place of Ctrl. */
export const isMac = (platform = globalThis.navigator?.platform ?? '') =>
  /mac|iphone|ipad/i.test(platform)

export type KeyCap = 'command' | 'shift' | 'enter' | 'up' | 'down' | (string & {})

/** 'mod+shift+k' or 'g h' as the caps a reader sees: ['command', 'shift', 'K'], ['G', 'H']. */
export function keyCaps(keys: string, mac = isMac()): KeyCap[] {
  return keys.split(/[+ ]/).map((key) => {
    if (key === 'mod') return mac ? 'command' : 'Ctrl'
    return key.length === 1 ? key.toUpperCase() : key
  })
}
