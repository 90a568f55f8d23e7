import { useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useContent } from '../session/organization/mode.ts'
import { useNameOfPage } from '../session/window-name.ts'

/**
 * Names the window after what the page is about, the page (its route's `staticData.title`) and the place it is in, what tells
 * it from other windows first: "hello · Logs · storefront · Plinth".
 */
export function useTitle(place?: string) {
  const page = useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.title)?.staticData.title,
  })
  const { app_title: app } = useContent()
  const about = useNameOfPage()
  const title = [about, page, place, app].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
