import { createFileRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'

// A constant of the build: where it is false, nothing of the gallery is built.
const shown = import.meta.env.DEV || import.meta.env.VITE_UI_GALLERY !== ''

/** Every component in every state and theme, for development and the browser tests. */
export const Route = createFileRoute('/__ui')({
  beforeLoad: () => {
    if (!shown) throw notFound()
  },
  ...(shown
    ? {
        component: lazyRouteComponent(
          () => import('../features/operations/ui-gallery/UiGallery.tsx'),
          'UiGallery',
        ),
      }
    : {}),
})
