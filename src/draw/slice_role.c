/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of names, sorted for a binary search, and a few beginnings of names. A name that is not
 * in it belongs to a task or to something that DevTools does not colour either. */
#include "config.h"

#include "draw/slice_role.h"

#include "base/alloc.h"
#include "model/frame.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct named {
	const char *name;
	uint8_t role;
};

/* clang-format off */
static const struct named names[] = {
	{ "AbortPostTaskCallback", ROLE_SCRIPTING },
	{ "Animation", ROLE_RENDERING },
	{ "AnimationFrame::Render", ROLE_RENDERING },
	{ "AnimationFrame::Script::Execute", ROLE_SCRIPTING },
	{ "AnimationFrame::StyleAndLayout", ROLE_RENDERING },
	{ "BeginCommitCompositorFrame", ROLE_PAINTING },
	{ "BeginFrame", ROLE_RENDERING },
	{ "BeginMainThreadFrame", ROLE_RENDERING },
	{ "CSSParserImpl::parseStyleSheet", ROLE_LOADING },
	{ "CancelAnimationFrame", ROLE_SCRIPTING },
	{ "CancelIdleCallback", ROLE_SCRIPTING },
	{ "Commit", ROLE_PAINTING },
	{ "CompositeLayers", ROLE_PAINTING },
	{ "ConsoleTime", ROLE_SCRIPTING },
	{ "Decode Image", ROLE_PAINTING },
	{ "Decode LazyPixelRef", ROLE_PAINTING },
	{ "DoDecrypt", ROLE_SCRIPTING },
	{ "DoDecryptReply", ROLE_SCRIPTING },
	{ "DoDigest", ROLE_SCRIPTING },
	{ "DoDigestReply", ROLE_SCRIPTING },
	{ "DoEncrypt", ROLE_SCRIPTING },
	{ "DoEncryptReply", ROLE_SCRIPTING },
	{ "DoSign", ROLE_SCRIPTING },
	{ "DoSignReply", ROLE_SCRIPTING },
	{ "DoVerify", ROLE_SCRIPTING },
	{ "DoVerifyReply", ROLE_SCRIPTING },
	{ "Document::recalcStyle", ROLE_RENDERING },
	{ "Document::updateStyle", ROLE_RENDERING },
	{ "Draw LazyPixelRef", ROLE_PAINTING },
	{ "DrawFrame", ROLE_RENDERING },
	{ "EmbedderCallback", ROLE_SCRIPTING },
	{ "EvaluateScript", ROLE_SCRIPTING },
	{ "EventDispatch", ROLE_SCRIPTING },
	{ "EventTiming", ROLE_SCRIPTING },
	{ "FireAnimationFrame", ROLE_SCRIPTING },
	{ "FireIdleCallback", ROLE_SCRIPTING },
	{ "FrameStartedLoading", ROLE_LOADING },
	{ "FunctionCall", ROLE_SCRIPTING },
	{ "GPUTask", ROLE_PAINTING },
	{ "HTMLDocumentParser::ParseHTML", ROLE_LOADING },
	{ "HandlePostMessage", ROLE_SCRIPTING },
	{ "HitTest", ROLE_RENDERING },
	{ "ImageDecodeTask", ROLE_PAINTING },
	{ "ImageUploadTask", ROLE_PAINTING },
	{ "IntersectionObserverController::computeIntersections", ROLE_RENDERING },
	{ "InvalidateLayout", ROLE_RENDERING },
	{ "JSFrame", ROLE_SCRIPTING },
	{ "JSSample", ROLE_SCRIPTING },
	{ "LayerTreeHost::DoUpdateLayers", ROLE_PAINTING },
	{ "Layerize", ROLE_RENDERING },
	{ "Layout", ROLE_RENDERING },
	{ "LayoutInvalidationTracking", ROLE_RENDERING },
	{ "LayoutShift", ROLE_RENDERING },
	{ "LocalFrameView::layout", ROLE_RENDERING },
	{ "LocalFrameView::performLayout", ROLE_RENDERING },
	{ "MarkDOMContent", ROLE_LOADING },
	{ "MarkLoad", ROLE_LOADING },
	{ "NeedsBeginFrameChanged", ROLE_RENDERING },
	{ "PageAnimator::serviceScriptedAnimations", ROLE_RENDERING },
	{ "Paint", ROLE_PAINTING },
	{ "PaintImage", ROLE_PAINTING },
	{ "PaintSetup", ROLE_PAINTING },
	{ "PaintTimingVisualizer::LayoutObjectPainted", ROLE_PAINTING },
	{ "ParseAuthorStyleSheet", ROLE_LOADING },
	{ "ParseHTML", ROLE_LOADING },
	{ "PrePaint", ROLE_RENDERING },
	{ "PreloadRenderBlockingStatusChange", ROLE_LOADING },
	{ "ProfileCall", ROLE_SCRIPTING },
	{ "PropertyTreeBuilder::BuildPropertyTrees", ROLE_RENDERING },
	{ "RasterTask", ROLE_PAINTING },
	{ "Rasterize", ROLE_PAINTING },
	{ "RasterizerTaskImpl::RunOnWorkerThread", ROLE_PAINTING },
	{ "RecalculateStyles", ROLE_RENDERING },
	{ "RequestAnimationFrame", ROLE_SCRIPTING },
	{ "RequestIdleCallback", ROLE_SCRIPTING },
	{ "RequestMainThreadFrame", ROLE_RENDERING },
	{ "Resize Image", ROLE_PAINTING },
	{ "ResourceChangePriority", ROLE_LOADING },
	{ "ResourceFetcher::requestResource", ROLE_LOADING },
	{ "ResourceFinish", ROLE_LOADING },
	{ "ResourceMarkAsCached", ROLE_LOADING },
	{ "ResourceReceiveResponse", ROLE_LOADING },
	{ "ResourceReceivedData", ROLE_LOADING },
	{ "ResourceSendRequest", ROLE_LOADING },
	{ "ResourceWillSendRequest", ROLE_LOADING },
	{ "RunMicrotasks", ROLE_SCRIPTING },
	{ "RunPostTaskCallback", ROLE_SCRIPTING },
	{ "SchedulePostMessage", ROLE_SCRIPTING },
	{ "SchedulePostTaskCallback", ROLE_SCRIPTING },
	{ "ScheduleStyleRecalculation", ROLE_RENDERING },
	{ "ScheduledAction::execute", ROLE_SCRIPTING },
	{ "ScrollLayer", ROLE_RENDERING },
	{ "StyleInvalidatorInvalidationTracking", ROLE_RENDERING },
	{ "StyleRecalcInvalidationTracking", ROLE_RENDERING },
	{ "TileManager::FinishTasksAndCleanUp", ROLE_PAINTING },
	{ "TimeStamp", ROLE_SCRIPTING },
	{ "TimerFire", ROLE_SCRIPTING },
	{ "TimerInstall", ROLE_SCRIPTING },
	{ "TimerRemove", ROLE_SCRIPTING },
	{ "UpdateLayer", ROLE_PAINTING },
	{ "UpdateLayerTree", ROLE_RENDERING },
	{ "UpdateLayoutTree", ROLE_RENDERING },
	{ "UserTiming", ROLE_SCRIPTING },
	{ "WebAnimation", ROLE_RENDERING },
	{ "WebSocketCreate", ROLE_SCRIPTING },
	{ "WebSocketDestroy", ROLE_SCRIPTING },
	{ "WebSocketReceive", ROLE_SCRIPTING },
	{ "WebSocketReceiveHandshakeResponse", ROLE_SCRIPTING },
	{ "WebSocketSend", ROLE_SCRIPTING },
	{ "WebSocketSendHandshakeRequest", ROLE_SCRIPTING },
	{ "XHRLoad", ROLE_SCRIPTING },
	{ "XHRReadyStateChange", ROLE_SCRIPTING },
	{ "console.profile", ROLE_SCRIPTING },
	{ "domContentLoadedEventEnd", ROLE_LOADING },
	{ "domContentLoadedEventStart", ROLE_LOADING },
	{ "firstContentfulPaint", ROLE_LOADING },
	{ "firstPaint", ROLE_LOADING },
	{ "loadEventEnd", ROLE_LOADING },
	{ "loadEventStart", ROLE_LOADING },
	{ "navigationStart", ROLE_LOADING },
};
/* clang-format on */

/* V8 has many names; what they share comes first. */
static const struct named beginnings[] = {
	{ "V8.", ROLE_SCRIPTING },
	{ "v8.", ROLE_SCRIPTING },
};

static int compare(const void *key, const void *row)
{
	return strcmp(key, ((const struct named *)row)->name);
}

enum role slice_role(const char *name)
{
	const struct named *found = bsearch(name, names, ARRAY_LEN(names), sizeof *names, compare);

	if (category_is_gc_slice(name))
		return ROLE_GC;
	if (found)
		return (enum role)found->role;
	for (size_t i = 0; i < ARRAY_LEN(beginnings); i++)
		if (strncmp(name, beginnings[i].name, strlen(beginnings[i].name)) == 0)
			return (enum role)beginnings[i].role;
	return ROLE_TASK;
}

const char *slice_role_name(size_t i)
{
	return i < ARRAY_LEN(names) ? names[i].name : NULL;
}
