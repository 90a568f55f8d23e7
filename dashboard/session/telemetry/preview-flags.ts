import { create } from 'zustand'
import { featurePreviews } from './preview-list.ts'

type Enabled = Record<string, boolean>

/** Which previews this browser has switched on. Empty until the dashboard has loaded. */
export const usePreviewFlags = create<Enabled>()(() => ({}))

/** Reads what is stored, once the dashboard has loaded (requirements §4). */
export const loadPreviewFlags = () =>
  usePreviewFlags.setState(
    Object.fromEntries(
      featurePreviews.map(({ key, byDefault = false }) => [
        key,
        (localStorage.getItem(key) ?? String(byDefault)) === 'true',
      ]),
    ),
    true,
  )
