import { useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useContent } from '../session/mode.ts'

/** Names the window after the page (its route's `staticData.title`) and the place it is in: "General · storefront · Plinth". */
export function useTitle(place?: string) {
  const page = useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.title)?.staticData.title,
  })
  const { app_title: app } = useContent()
  const title = [page, place, app].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
