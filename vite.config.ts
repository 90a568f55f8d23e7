import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compileHints } from './dashboard/build/compile-hints.ts'
import { contractWithoutSchemas } from './dashboard/build/contract-without-schemas.ts'
import { denoTypes } from './dashboard/build/deno-types.ts'
import { routeParts } from './dashboard/build/route-parts.ts'

const platform = process.env.PLINTH_DEV_URL ?? 'http://127.0.0.1:8000'
// Only what the platform answers: the sources of the dashboard have a folder api, too.
const served = ['^/platform/', '^/auth/v1/', '^/api/[\\w-]+$', '^/v1/', '^/docs(?:/|$)']

export default defineConfig({
  root: 'dashboard',
  plugins: [
    tanstackRouter({
      routesDirectory: './routes',
      generatedRouteTree: './routeTree.gen.ts',
      autoCodeSplitting: true,
      // What a page asks for comes with the page: the first load has no part of pages but their addresses.
      codeSplittingOptions: {
        defaultBehavior: [
          ['loader', 'component'],
          ['pendingComponent'],
          ['errorComponent'],
          ['notFoundComponent'],
        ],
      },
      quoteStyle: 'single',
      semicolons: false,
      disableLogging: true,
      tmpDir: './node_modules/.cache/tanstack',
    }),
    react(),
    contractWithoutSchemas(),
    denoTypes(),
    routeParts(),
    compileHints(['libraries', 'frame']),
  ],
  define: {
    // A constant of the build, so that without the gallery nothing of it is built.
    'import.meta.env.VITE_UI_GALLERY': JSON.stringify(process.env.VITE_UI_GALLERY ?? ''),
  },
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    // The content policy allows no data: scripts or styles, and inlined fonts would be fetched by every page.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 3500,
    rolldownOptions: {
      output: {
        // Few files: on a slow machine each takes the browser longer than what it holds takes to read.
        codeSplitting: {
          groups: [
            // What every page needs, in one file that changes only when a library does.
            {
              name: 'libraries',
              test: /node_modules\/(?:react|react-dom|scheduler|@tanstack|@supabase)\//,
              tags: ['$initial'],
              priority: 4,
            },
            // The rest of the first load, and nothing that only some pages share.
            { name: 'shared', tags: ['$initial'], priority: 3 },
            // The frame around every page behind the sign-in, and the frames within it.
            {
              name: 'frame',
              test: /dashboard\/(?:shell\/(?!Drawer|SearchMenu|Shortcuts)|routes\/_app(?:\/account|\/org\.\$slug|\/project\.\$ref)?\.tsx\?)/,
              priority: 1,
            },
            // What many pages share. What few of them do comes with those: in the first load it would be read for nothing.
            {
              name: 'common',
              test: /dashboard\/(?:ui(?!\/(?:code\/|csv|grid\/|plot\/|floats\/DialogBox))|session(?!\/identity\/(?:auth-client|external-auth))|modules(?!\/(?:tables|running|logs|objects\/list)\/)|api)\/|\/contract\/(?!ddl\/|observability\/log|billing\/plan-comparison|billing\/pricing-plans|capabilities)/,
              minShareCount: 6,
              priority: 2,
            },
            // A file for each icon would cost more than the icon.
            { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 2, priority: 2 },
            {
              name: 'objects',
              test: /dashboard\/modules\/objects\/list\//,
              minShareCount: 2,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(served.map((path) => [path, { target: platform, ws: true }])),
  },
})
