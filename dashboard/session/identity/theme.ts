import { useState } from 'react'

export type ThemeChoice = 'system' | 'dark' | 'light' | 'classic-dark'

export const themeChoices: readonly { value: ThemeChoice; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
  { value: 'classic-dark', label: 'Classic dark' },
]

/** The chosen theme and how to choose another. public/first.js keeps it and paints it. */
export function useTheme(): [ThemeChoice, (choice: ThemeChoice) => void] {
  const [choice, setChoice] = useState(() => window.plinthTheme?.get() ?? 'system')
  return [
    choice,
    (next) => {
      window.plinthTheme?.set(next)
      setChoice(next)
    },
  ]
}
