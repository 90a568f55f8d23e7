import { useEffect } from 'react'
import { create } from 'zustand'

type Named = { name: string | undefined }

const useNamed = create<Named>()(() => ({ name: undefined }))

/** Names the window after what the page is about (a function, a table, a query) while it is open. */
export function useWindowName(name: string | undefined): void {
  useEffect(() => {
    useNamed.setState({ name })
    // The next page may have given its name already.
    return () => useNamed.setState((now) => (now.name === name ? { name: undefined } : now))
  }, [name])
}

/** What the page that is open is about, if it said so. */
export const useNameOfPage = (): string | undefined => useNamed(({ name }) => name)
