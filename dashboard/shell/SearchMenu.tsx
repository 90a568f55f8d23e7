import { useState } from 'react'
import { FoundThings } from '../features/operations/command-search/FoundThings.tsx'
import type { Where } from '../session/project/where.ts'
import { CommandMenu } from '../ui/floats/CommandMenu.tsx'

type Props = {
  onClose: () => void
  place: string | undefined
  where: Where
  goTo: (to: string) => () => void
}

/** The command menu with what is found for what is typed in it. */
export function SearchMenu({ onClose, place, where, goTo }: Props) {
  const [typed, setTyped] = useState('')
  return (
    <>
      <FoundThings where={where} typed={typed} goTo={goTo} />
      <CommandMenu onClose={onClose} place={place} typed={typed} onTyped={setTyped} />
    </>
  )
}
