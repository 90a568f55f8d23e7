import type { TrashItem } from '#contract/storage/storage-trash'
import { folderMark } from '#contract/storage/storage'
import { counted } from '../../../../ui/text/number.ts'
import { folderOf } from '../files/paths.ts'

const hour = 60 * 60 * 1000

/** How long something can still be had back: days, or hours of the last one. */
export function leftText(expiresAt: string, now: Date): string {
  const hours = (new Date(expiresAt).getTime() - now.getTime()) / hour
  if (hours < 1) return 'Under an hour'
  return hours < 24 ? counted(Math.floor(hours), 'hour') : counted(Math.round(hours / 24), 'day')
}

const roles: Record<string, string> = {
  service_role: 'a secret key',
  authenticated: 'a signed-in user',
  anon: 'someone not signed in',
  postgres: 'SQL',
}
/** Who deleted something: a mail address or the id of a user stands for itself. */
export const whoText = ({ deleted_by: who }: TrashItem): string =>
  who === null ? 'nobody knows' : (roles[who] ?? who)

/** The object that stands for an empty folder is shown as that folder. */
export const shownName = (name: string): string =>
  name === folderMark || name.endsWith(`/${folderMark}`) ? `${folderOf(name)}/` : name

/** Beside the one that has taken the name: `a/cat (restored).png`. */
export function otherName(name: string): string {
  const dot = name.lastIndexOf('.')
  const at = dot > name.lastIndexOf('/') + 1 ? dot : name.length
  return `${name.slice(0, at)} (restored)${name.slice(at)}`
}
