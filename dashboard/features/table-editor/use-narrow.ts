import { useSyncExternalStore } from 'react'

const query = '(max-width: 767px)'

/** True on a phone, where rows are cards. */
export const useNarrow = () =>
  useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
  )
