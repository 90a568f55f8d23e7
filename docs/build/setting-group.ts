import type { SettingName } from '#kit/config'

export type Setting = {
  /** What it is, as a sentence or two. Markdown. */
  about: string
  /** What holds while it is not set, where the schema has no default that says so. Markdown. */
  unset?: string
}
export type Settings = Partial<Record<SettingName, Setting>>
export type SettingGroup = { title: string; intro?: string; settings: Settings }
