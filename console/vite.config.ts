import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Two builds share the sources: the console's page, and the messenger, a single file for other people's sites.
const messenger = process.env["PART"] === "messenger";

export default defineConfig({
  base: "/console/",
  plugins: messenger ? [] : [react()],
  publicDir: messenger ? false : "public",
  build: {
    outDir: "../src/openplaybook/console/built",
    emptyOutDir: !messenger,
    manifest: messenger ? false : "manifest.json",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    target: "es2022",
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    ...(messenger
      ? { lib: { entry: "src/messenger/element.ts", formats: ["es"], fileName: () => "messenger.js" } }
      : {}),
  },
  server: { proxy: { "^/(v3|v3beta1|v1|v1beta)/": "http://127.0.0.1:8080" } },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
} as Parameters<typeof defineConfig>[0]);
