/** Types of /debug-bridge.js, the browser SDK of browser-runner for the debug-bridge protocol, version 1. */

export type Capability =
    | "dom_snapshot" | "dom_mutations" | "ui_tree" | "ui_element_updates" | "console" | "errors"
    | "eval" | "screenshot" | "custom_state";

export interface UiTreeItem {
    stableId: string;
    selector: string;
    role: string;
    text?: string;
    label?: string;
    disabled: boolean;
    visible: boolean;
    checked?: boolean;
    selected?: boolean;
    expanded?: boolean;
    value?: string;
    bounds?: { x: number; y: number; width: number; height: number };
    meta: { tagName: string; [key: string]: unknown };
}

export interface ElementTarget {
    stableId?: string;
    selector?: string;
    text?: string;
    role?: string;
}

/** A command of an agent, as received. */
export interface Command {
    type:
        | "click" | "type" | "navigate" | "evaluate" | "scroll" | "hover" | "select" | "focus"
        | "request_ui_tree" | "request_dom_snapshot" | "request_screenshot" | "request_state";
    requestId: string;
    target?: ElementTarget;
    options?: Record<string, unknown>;
    [key: string]: unknown;
}

export interface DebugBridgeConfig {
    /** ws://HOST:PORT/debug; role, sessionId, appId and token are added if they are missing. */
    url: string;
    sessionId: string;
    /** Default: generated, and kept for the tab. */
    appId?: string;
    appName?: string;
    appVersion?: string;
    token?: string;

    /** Default: true, except enableEval. */
    enableDomSnapshot?: boolean;
    enableDomMutations?: boolean;
    enableUiTree?: boolean;
    enableUiElementUpdates?: boolean;
    enableConsole?: boolean;
    enableErrors?: boolean;
    enableEval?: boolean;
    enableScreenshot?: boolean;

    /** Default: 100 */
    domMutationBatchMs?: number;
    /** Default: 500 */
    uiTreeThrottleMs?: number;
    /** Default: 10 */
    maxConsoleArgs?: number;
    /** Characters of each argument; default: 1000 */
    maxConsoleArgLength?: number;
    /** In UTF-16 units; default: 5 MB */
    maxDomSnapshotSize?: number;
    /** Delay before connecting again; default: 1000. Doubles each time. */
    reconnectBaseDelayMs?: number;
    /** The longest delay; default: 30000 */
    reconnectMaxDelayMs?: number;

    /** Scopes and their states; sent on connecting and on request. */
    getCustomState?: () => Record<string, unknown>;
    /** Replaces the items that are found in the page. */
    getUiTreeItems?: () => UiTreeItem[];
    /** null: the id is generated as usual. */
    getStableId?: (element: Element) => string | null;

    onConnect?: () => void;
    onDisconnect?: () => void;
    onError?: (error: Error) => void;
    onCommand?: (command: Command) => void;
}

export interface DebugBridge {
    connect(): void;
    disconnect(): void;
    isConnected(): boolean;

    sendState(scope: string, state: unknown): void;
    sendUiTree(): void;
    sendDomSnapshot(): void;

    on(event: "connect" | "disconnect", handler: () => void): void;
    on(event: "error", handler: (error: Error) => void): void;
    on(event: "command", handler: (command: Command) => void): void;
    off(event: "connect" | "disconnect" | "error" | "command", handler: (...args: never[]) => void): void;
}

export function createDebugBridge(config: DebugBridgeConfig): DebugBridge;
export default createDebugBridge;
